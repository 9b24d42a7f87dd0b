// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import Synchronization

/// The errors of values that were read as another type, and of rules that failed for a context of a task. Each is reported once
/// while the values and rules of its key stay the same, for all contexts.
final class TypeProblems: Sendable {
    /// The values and rules that an error depends on: of its key, the keys below it and the keys above it. A layer that depends on
    /// the context counts only if the error is in it.
    private struct Reading: Equatable {
        private let layers: [[String: EntryValue]]

        init(behind error: ConfigError, in current: ConfigState.Snapshot) {
            if [.invalidKey, .conflict].contains(error.code) {
                layers = []
                return
            }
            let key = error.key ?? ""
            let keys = key.keysAbove + [key] + current.keys(below: key)
            let names = keys + (keys + [EntryKind.sharedRules]).map { EntryKind.rule.key(of: $0) }
            layers = current.snapshot.layers.map { layer in
                let found = names.compactMap { name in layer.held[name].map { (name: name, entry: $0) } }
                let counts = !layer.dependsOnContext || found.contains { $0.entry.source == error.source }
                return counts ? Dictionary(found.map { ($0.name, $0.entry.value) }) { $1 } : [:]
            }
        }
    }

    private struct Place: Hashable {
        let key: String?
        let source: String?
        let code: ConfigError.Code

        init(of error: ConfigError) { (key, source, code) = (error.key, error.source, error.code) }
    }

    private struct State {
        /// Each problem lasts as long as the values that were read.
        var known: [Place: (error: ConfigError, reading: Reading)] = [:]
        var logged: [Place: Reading] = [:]
        var invalidKeyCount = 0
        /// The revision at which problems with former values were removed last.
        var sortedOutAt: UInt64?
        var log: (@Sendable (ConfigError) -> Void)?
    }

    private let state = Mutex(State())
    private static let maximum = 10_000
    /// Keys that no configuration can have may be made of the input of users.
    private static let maximumInvalidKeys = 100

    /// Logs each problem from now on, once.
    func log(_ log: @escaping @Sendable (ConfigError) -> Void) { state.withLock { $0.log = log } }

    /// Remembers a problem until one of the values or rules is another.
    func report(_ error: ConfigError, in current: ConfigState.Snapshot) {
        let (place, reading) = (Place(of: error), Reading(behind: error, in: current))
        let isNew = state.withLock { state in
            if let known = state.known[place] {
                if known.reading == reading { return false }
            } else if error.code == .invalidKey {
                if state.invalidKeyCount == Self.maximumInvalidKeys { return false }
                state.invalidKeyCount += 1
            } else if state.known.count >= Self.maximum {
                if state.sortedOutAt == current.revision { return false }
                state.sortedOutAt = current.revision
                state.known = state.known.filter { $0.value.reading == Reading(behind: $0.value.error, in: current) }
                if state.known.count >= Self.maximum { return false }
            }
            state.known[place] = (error, reading)
            return true
        }
        if isNew { logOnce(error, in: current) }
    }

    /// Logs a problem, unless it has been logged for these values and rules.
    func logOnce(_ error: ConfigError, in current: ConfigState.Snapshot) {
        let (place, reading) = (Place(of: error), Reading(behind: error, in: current))
        let log: (@Sendable (ConfigError) -> Void)? = state.withLock { state in
            if state.logged[place] == reading { return nil }
            if state.logged.count >= Self.maximum { state.logged = [:] }
            state.logged[place] = reading
            return state.log
        }
        log?(error)
    }

    /// The problems with the values and rules of a state, or of one of its keys, sorted by key.
    func problems(ofKey key: String? = nil, in current: ConfigState.Snapshot) -> [ConfigError] {
        state.withLock(\.known).values.filter { problem in
            (key == nil || problem.error.key == key) && problem.reading == Reading(behind: problem.error, in: current)
        }
        .map(\.error).sorted { ($0.key ?? "", $0.source ?? "") < ($1.key ?? "", $1.source ?? "") }
    }
}

extension ConfigState.Snapshot {
    /// Reports a value or a rule that cannot be used, once for each key while its values and rules stay the same.
    func report(_ problem: ConfigError) {
        let isKnown = snapshot.ruleProblems.contains { $0.isOfRule(of: problem) }
        if !isKnown { typeProblems.report(problem, in: self) }
    }

    /// Reports a key that no configuration can have.
    func reportIfInvalid(_ key: String) {
        if let error = ConfigError(inKey: key) { report(error) }
    }

    /// The errors of the source, of rules, and of values that were read as another type.
    public var problems: [ConfigError] {
        // A rule may have failed for another context before.
        let others = typeProblems.problems(in: self).filter { other in
            !snapshot.ruleProblems.contains { $0.isOfRule(of: other) }
        }
        return [status.problem].compactMap(\.self) + snapshot.ruleProblems + others
    }
}

extension ConfigError {
    /// Whether both are errors of one rule, maybe for different users.
    fileprivate func isOfRule(of other: ConfigError) -> Bool {
        code == .invalidRule && other.code == code && key == other.key && source == other.source
    }

    /// The error of a key that no configuration can have; `nil` for others, and for the empty key, which is that of everything.
    init?(inKey key: String) {
        guard !key.isEmpty, let problem = KeyRule.problem(in: key) else { return nil }
        self.init(.invalidKey, "the key \(problem)", key: key.shownAsKey)
    }
}

extension ConfigState {
    /// The errors of the source, of rules, and of values that were read as another type, until the value is replaced.
    public var problems: [ConfigError] { current.problems }
}
