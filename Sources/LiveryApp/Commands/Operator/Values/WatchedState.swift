import ConfigModel

/// What a namespace is known to hold while its events come in: the values, and which moment they are of.
struct WatchedState {
    /// What an event means to those who watch.
    enum Step: Hashable {
        /// These keys have changed; none, if everything is as it was.
        case changes(ConfigDiff)
        /// The state must be read anew.
        case resync
    }

    private(set) var cursor: Cursor
    private var digest: ConfigDigest
    private var values: [String: ConfigValue]

    init(_ snapshot: ServerSnapshot) {
        cursor = snapshot.cursor
        digest = snapshot.digest
        values = snapshot.entries
    }

    /// Takes the whole state.
    mutating func replace(with snapshot: ServerSnapshot) -> ConfigDiff {
        let diff = ConfigDiff(from: values, to: snapshot.entries)
        self = WatchedState(snapshot)
        return diff
    }

    /// Takes an event, which counts only if it leads on from what is known.
    mutating func take(_ event: StreamEvent) -> Step {
        switch event {
        case .change(let changes, let epoch):
            guard Cursor(epoch: epoch, revision: changes.from) == cursor else { return .resync }
            return .changes(apply(changes))
        case .hello(let moment, _):
            return moment.epoch == cursor.epoch ? .changes(ConfigDiff([])) : .resync
        case .head(let moment, let digest):
            // The head of the store moves with other namespaces as well; the digest is this one's.
            return moment.epoch == cursor.epoch && digest == self.digest ? .changes(ConfigDiff([])) : .resync
        case .reset:
            return .resync
        }
    }

    private mutating func apply(_ changes: Changeset) -> ConfigDiff {
        let upserts = changes.upserts.map { KeyChange(key: $0, old: values[$0], new: $1) }
        let deletes = changes.deletes.map { KeyChange(key: $0, old: values[$0], new: nil) }
        values.merge(changes.upserts) { $1 }
        for key in changes.deletes { values[key] = nil }
        cursor.revision = changes.to
        digest = changes.digest
        return ConfigDiff(upserts + deletes)
    }
}
