internal import ConfigModel
internal import NIOHTTP1

/// What a request says that its sender has seen, whichever server told it.
enum SeenRevision {
    /// The latest state of an epoch that the request speaks of; `nil` if it speaks of none.
    static func latest(of epoch: Epoch, in conditions: ReadConditions, _ target: RequestTarget) -> Cursor? {
        var cursors = tagged(conditions.ifNoneMatch)
        if let seen = conditions.seen { cursors.append(seen) }
        if let after = try? target.revision("after"), let text = try? target.parameter("epoch"),
            let epoch = Epoch(text)
        {
            cursors.append(Cursor(epoch: epoch, revision: after))
        }
        return latest(of: epoch, cursors)
    }

    /// The latest state that an event stream's `Last-Event-ID` and the field speak of.
    static func latest(of epoch: Epoch, lastEventID: String?, _ conditions: ReadConditions) -> Cursor? {
        latest(of: epoch, [conditions.seen, lastEventID.flatMap(Cursor.init)].compactMap(\.self))
    }

    private static func latest(of epoch: Epoch, _ cursors: [Cursor]) -> Cursor? {
        cursors.filter { $0.epoch == epoch }.max { $0.revision < $1.revision }
    }

    /// Every entity tag here begins with where the state is that it stands for.
    private static func tagged(_ field: String?) -> [Cursor] {
        guard case .tags(let tags) = field.flatMap({ EntityTags($0) }) else { return [] }
        return tags.compactMap { Cursor.named(by: $0.value) }
    }
}

extension ReadConditions {
    /// What the field ``Cursor/fieldName`` says; `nil` if that is nothing, which is passed over as in the fields for caches.
    fileprivate var seen: Cursor? { liveryRevision.flatMap(Cursor.init) }
}

extension ServerServices {
    /// Waits a moment until memory has what whoever asks has seen elsewhere.
    ///
    /// - Returns: whether it was another history that it was seen in: the store itself has never been so far.
    /// - Throws: ``Problem`` if it takes too long, for whoever asks to try again, or another server.
    @discardableResult
    func catchUp(with conditions: ReadConditions, _ target: RequestTarget) async throws(Problem) -> Bool {
        guard let head = hub.head, let seen = SeenRevision.latest(of: head.epoch, in: conditions, target),
            hub.isBehind(seen)
        else { return false }
        guard await hub.catchesUp(with: seen) else { throw .behind }
        return hub.isBehind(seen)
    }
}

extension Reply {
    /// The answer with what a write became.
    func telling(_ cursor: Cursor) -> Reply {
        var reply = self
        reply.headers.replaceOrAdd(name: Cursor.fieldName.lowercased(), value: cursor.description)
        return reply
    }
}

extension Cursor {
    /// Where the state is that an entity tag stands for, compressed or not.
    static func named(by tag: String) -> Cursor? {
        Cursor(tag.hasSuffix("-gzip") ? String(tag.dropLast(5)) : tag)
    }
}
