// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import Synchronization

/// The errors of values that were read as another type, where the reader returned its default instead.
final class TypeProblems: Sendable {
    /// A problem, which lasts as long as the values that were read.
    private struct Known {
        let error: ConfigError
        let reading: Reading
    }

    /// The values that a reading of a key depends on: those of the key, of the keys below it and of the keys above it.
    private struct Reading: Equatable {
        private let keys: [String]
        private let values: [EntryValue?]

        init(of key: String, in current: ConfigState.Snapshot) {
            keys = key.andKeysAbove + current.keys(below: key)
            values = keys.map { current.snapshot.entries[$0]?.value }
        }
    }

    private struct State {
        var known: [String: Known] = [:]
        var log: (@Sendable (ConfigError) -> Void)?
    }

    private let state = Mutex(State())

    /// Logs each problem from now on, once.
    func log(_ log: @escaping @Sendable (ConfigError) -> Void) { state.withLock { $0.log = log } }

    /// Remembers a problem until one of the values that were read is another.
    func report(_ error: ConfigError, in current: ConfigState.Snapshot) {
        let key = error.key ?? ""
        let reading = Reading(of: key, in: current)
        let log: (@Sendable (ConfigError) -> Void)? = state.withLock { state in
            if let known = state.known[key], known.error == error, known.reading == reading { return nil }
            state.known[key] = Known(error: error, reading: reading)
            return state.log
        }
        log?(error)
    }

    /// The problems with the values of a state, sorted by key.
    func problems(in current: ConfigState.Snapshot) -> [ConfigError] {
        state.withLock(\.known).filter { $0.value.reading == Reading(of: $0.key, in: current) }
            .sorted { $0.key < $1.key }.map(\.value.error)
    }
}

extension ConfigState.Snapshot {
    /// The errors of the source, of rules, and of values that were read as another type.
    public var problems: [ConfigError] {
        [status.problem].compactMap(\.self) + snapshot.ruleProblems + typeProblems.problems(in: self)
    }
}

extension ConfigState {
    /// The errors of the source, of rules, and of values that were read as another type, until the value is replaced.
    public var problems: [ConfigError] { current.problems }
}
