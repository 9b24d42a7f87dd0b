// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import Synchronization

/// The errors of values that were read as another type, where the reader returned its default instead.
final class TypeProblems: Sendable {
    private struct Known {
        let error: ConfigError
        let value: EntryValue?
    }

    private struct State {
        var known: [String: Known] = [:]
        var log: (@Sendable (ConfigError) -> Void)?
    }

    private let state = Mutex(State())

    /// Logs each problem from now on, once.
    func log(_ log: @escaping @Sendable (ConfigError) -> Void) { state.withLock { $0.log = log } }

    /// Remembers a problem until the value of its key is another.
    func report(_ error: ConfigError, in entries: ConfigEntries) {
        let key = error.key ?? ""
        let value = entries[key]?.value
        let log: (@Sendable (ConfigError) -> Void)? = state.withLock { state in
            if let known = state.known[key], known.error == error, known.value == value { return nil }
            state.known[key] = Known(error: error, value: value)
            return state.log
        }
        log?(error)
    }

    /// The problems with the values of a state, sorted by key.
    func problems(in entries: ConfigEntries) -> [ConfigError] {
        state.withLock { state in
            state.known = state.known.filter { entries[$0.key]?.value == $0.value.value }
            return state.known.sorted { $0.key < $1.key }.map(\.value.error)
        }
    }
}

extension ConfigState.Snapshot {
    /// The errors of the source, of rules, and of values that were read as another type.
    public var problems: [ConfigError] {
        [status.problem].compactMap(\.self) + snapshot.ruleProblems + typeProblems.problems(in: snapshot.entries)
    }
}

extension ConfigState {
    /// The errors of the source, of rules, and of values that were read as another type, until the value is replaced.
    public var problems: [ConfigError] { current.problems }
}
