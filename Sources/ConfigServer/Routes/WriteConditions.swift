internal import ConfigModel
internal import ConfigStore
internal import HTTPTypes
internal import HashTreeCollections
internal import Hummingbird
internal import NIOHTTP1

/// The conditions of a write by `If-Match` and `If-None-Match`, for the transaction to check.
struct WriteConditions {
    private(set) var list: [Publish.Condition] = []

    /// The conditions of a write to an entry.
    ///
    /// - Throws: ``Problem`` if a field is malformed, or if its condition is not met already.
    init(_ request: Request, key: String, state: NamespaceState) throws(Problem) {
        let conditions = ReadConditions(request)
        let present = state.entries[key]
        if let tags = try conditions.matchTags() {
            let revisions = Self.revisions(tags, in: state)
            list.append(tags == .any ? .present(key: key) : .entry(key: key, revisions: Set(revisions)))
        }
        if let tags = try conditions.noneMatchTags() {
            if tags == .any {
                list.append(.absent(key: key))
            } else if let present, tags.matchesWeakly([state.tag(of: present)]) {
                throw Self.failed(key: key, state)
            }
        }
    }

    /// The conditions of a write to a namespace, whose entity tag comes with `GET …/entries` and `GET …/config`.
    ///
    /// - Throws: ``Problem`` if a field is malformed, or if its condition is not met already.
    init(_ request: Request, state: NamespaceState) throws(Problem) {
        let conditions = ReadConditions(request)
        if let tags = try conditions.matchTags(), tags != .any {
            let revisions = Self.revisions(tags, in: state)
            // The store may be ahead of memory.
            guard let newest = revisions.max() else { throw Self.failed(state) }
            list.append(.head(revisions.contains(state.revision) ? state.revision : newest))
        }
        // Every namespace exists, if only as an empty one.
        if let tags = try conditions.noneMatchTags(), tags.matchesWeakly([state.tag, state.gzipTag]) {
            throw Self.failed(state)
        }
    }

    /// The revisions of this epoch in a list of tags.
    private static func revisions(_ tags: EntityTags, in state: NamespaceState) -> [UInt64] {
        tags.strongValues.compactMap { Cursor(entityTag: $0) }.filter { $0.epoch == state.cursor.epoch }.map(\.revision)
    }

    /// The condition does not hold.
    static func failed(key: String, _ state: NamespaceState) -> Problem {
        let entry = state.entries[key]
        return Problem(
            .preconditionFailed,
            "precondition-failed",
            entry.map { "the key is at revision \($0.revision); read it again before you retry" }
                ?? "there is no such key now",
            key: key,
            revision: entry?.revision
        )
    }

    /// The condition does not hold.
    static func failed(_ state: NamespaceState) -> Problem {
        Problem(
            .preconditionFailed,
            "precondition-failed",
            "the namespace is at revision \(state.revision); read it again before you retry",
            revision: state.revision
        )
    }
}
