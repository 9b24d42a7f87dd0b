package import ConfigModel

/// What was really published: the truth that clients are held against.
///
/// It is fed with what the server acknowledged and computes every state anew, sharing no code with the client but the
/// vocabulary.
package struct PublishedHistory: Sendable {
    /// The epoch of all revisions.
    package let epoch: Epoch
    private var changes: [UInt64: [String: ConfigValue?]] = [:]

    package init(epoch: Epoch) {
        self.epoch = epoch
    }

    /// Notes a revision that the server acknowledged, with the values that it gave to keys or took away.
    package mutating func note(revision: UInt64, changes: [String: ConfigValue?]) {
        self.changes[revision] = changes
    }

    /// How many revisions are known.
    package var count: Int { changes.count }

    /// The revisions in their order.
    package var revisions: [UInt64] { changes.keys.sorted() }

    /// Visits the states in their order, from the empty one before the first revision on.
    func replay(_ visit: (_ revision: UInt64, _ entries: [String: ConfigValue], _ changedKeys: Set<String>) -> Void) {
        var entries: [String: ConfigValue] = [:]
        visit(0, entries, [])
        for revision in revisions {
            var changed: Set<String> = []
            for (key, value) in changes[revision] ?? [:] where entries[key] != value {
                entries[key] = value
                changed.insert(key)
            }
            visit(revision, entries, changed)
        }
    }
}
