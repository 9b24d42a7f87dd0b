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
    ///   - values: the values by key. An object is a branch of the keys, as in a plain document, unless the state is exact.
    ///   - isExact: whether an object is the value of its key, as on a server.
    ///   - phase: how the state stands to its source.
    ///   - problem: what is wrong with the source.
    public static func testing(
        _ values: [String: EntryValue],
        isExact: Bool = false,
        phase: SourceStatus.Phase = .live,
        problem: ConfigError? = nil
    ) -> ConfigState {
        let source = "test"
        var status = SourceStatus(source: source)
        (status.phase, status.origin, status.problem) = (phase, .source, problem)
        return ConfigState(
            Current(snapshot: EntrySnapshot(testing: values, isExact: isExact, from: source), status: status)
        )
    }
}

extension EntrySnapshot {
    /// The first state of a source that holds these values; empty where their keys are none.
    fileprivate init(testing values: [String: EntryValue], isExact: Bool, from source: String) {
        let cursor = Cursor(epoch: Epoch(rawValue: 1), revision: 1)
        // Keys that are none leave the state empty, as documented.
        let whole = try? ServerSnapshot(testing: values, isExact: isExact, at: cursor, from: source)
        let update = whole.flatMap {
            try? EntrySnapshot.empty.updated(with: $0, from: source, at: Timestamp(milliseconds: 0))
        }
        self = update?.snapshot ?? .empty
    }
}
