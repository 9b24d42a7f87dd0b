internal import ConfigModel
internal import HTTPTypes
internal import HashTreeCollections
internal import Hummingbird
internal import NIOHTTP1

/// What `If-Match` and `If-None-Match` ask of a write, for the transaction to check.
struct WriteConditions {
    private(set) var list: [Publish.Condition] = []

    /// - Throws: ``Problem`` if a field is malformed, or if what it asks is not so already.
    init(_ request: Request, key: String, state: NamespaceState) throws(Problem) {
        let present = state.entries[key]
        if let tags = try Self.tags(request, .ifMatch) {
            let cursors = tags.strongValues.compactMap(Cursor.init).filter { $0.epoch == state.cursor.epoch }
            list.append(tags == .any ? .present(key: key) : .entry(key: key, revisions: Set(cursors.map(\.revision))))
        }
        if let tags = try Self.tags(request, .ifNoneMatch) {
            if tags == .any {
                list.append(.absent(key: key))
            } else if let present, tags.matchesWeakly([state.tag(of: present)]) {
                throw Self.failed(key: key, state)
            }
        }
    }

    private static func tags(_ request: Request, _ name: HTTPField.Name) throws(Problem) -> EntityTags? {
        let values = request.headers[values: name]
        guard !values.isEmpty else { return nil }
        guard let tags = EntityTags(values.joined(separator: ",")) else {
            let detail = "\(name.rawName) has '*' or a list of entity tags in quotes"
            throw Problem(.badRequest, "invalid-header", detail, field: name.rawName)
        }
        return tags
    }

    /// The condition does not hold.
    static func failed(key: String, _ state: NamespaceState) -> Problem {
        let entry = state.entries[key]
        return Problem(
            .preconditionFailed,
            "precondition-failed",
            entry.map { "the key is at revision \($0.revision); read it again and decide anew" }
                ?? "there is no such key now",
            key: key,
            revision: entry?.revision
        )
    }
}
