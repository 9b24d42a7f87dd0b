internal import ConfigModel

/// The newest revision that a request's sender has seen, from whichever server.
enum SeenRevision {
    /// The newest revision of an epoch in a read's conditions and parameters; `nil` if there is none.
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

    /// The newest revision of an epoch in a stream's `Last-Event-ID` and its conditions; `nil` if there is none.
    static func latest(of epoch: Epoch, lastEventID: String?, _ conditions: ReadConditions) -> Cursor? {
        latest(of: epoch, [conditions.seen, lastEventID.flatMap { Cursor($0) }].compactMap(\.self))
    }

    private static func latest(of epoch: Epoch, _ cursors: [Cursor]) -> Cursor? {
        cursors.filter { $0.epoch == epoch }.max { $0.revision < $1.revision }
    }

    /// Every entity tag begins with the cursor of the state that it stands for.
    private static func tagged(_ field: String?) -> [Cursor] {
        guard case .tags(let tags) = field.flatMap({ EntityTags($0) }) else { return [] }
        return tags.compactMap { Cursor(entityTag: $0.value) }
    }
}

extension ReadConditions {
    /// The value of the field ``Cursor/fieldName``; `nil` if it is malformed, which is ignored as in the fields for caches.
    fileprivate var seen: Cursor? { liveryRevision.flatMap { Cursor($0) } }
}

extension Cursor {
    /// The cursor of the state that an entity tag stands for, compressed or not.
    init?(entityTag tag: String) {
        self.init(tag.hasSuffix("-gzip") ? String(tag.dropLast(5)) : tag)
    }
}
