// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import RemoteConfig

extension ConfigState {
    /// A state with these values, for previews and for tests of what reads values.
    ///
    /// ```swift
    /// let config = ConfigReader(provider: RemoteConfigProvider(state: .testing(["app.title": "Hi"])))
    /// ```
    ///
    /// It stays as it is; for one that changes use a ``TestSource``.
    ///
    /// - Parameters:
    ///   - values: the values by key.
    ///   - phase: how the state stands to its source.
    ///   - problem: what is wrong with the source.
    public static func testing(
        _ values: [String: EntryValue],
        phase: SyncStatus.Phase = .live,
        problem: ConfigError? = nil
    ) -> ConfigState {
        let source = "test"
        var status = SyncStatus(source: source)
        (status.phase, status.origin, status.problem) = (phase, .source, problem)
        return ConfigState(Current(snapshot: EntrySnapshot(testing: values, from: source), status: status))
    }
}

extension EntrySnapshot {
    /// The first state of a source that holds these values.
    fileprivate init(testing values: [String: EntryValue], from source: String) {
        let digest = ConfigDigest(values.lazy.map { ($0.key, $0.value) })
        let cursor = Cursor(epoch: Epoch(rawValue: 1), revision: 1)
        let whole = ServerSnapshot(cursor: cursor, digest: digest, entries: values)
        // It cannot fail, as the digest is that of the values.
        let update = try? EntrySnapshot.empty.updated(with: whole, from: source, at: Timestamp(milliseconds: 0))
        self = update?.snapshot ?? .empty
    }
}
