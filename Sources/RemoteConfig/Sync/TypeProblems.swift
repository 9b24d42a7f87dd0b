// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import Synchronization

/// The errors of values that were read as another type, and of rules that failed for a context of a task. Each is reported once
/// while the values and rules of its key stay the same, whoever's context met it.
final class TypeProblems: Sendable {
    /// The values and rules that a reading of a key depends on, in every layer: those of the key, of the keys below it and of
    /// the keys above it.
    private struct Reading: Equatable {
        private let keys: [String]
        private let values: [EntryValue?]

        init(of key: String, in current: ConfigState.Snapshot) {
            keys = key.keysAbove + [key] + current.keys(below: key)
            let names = keys + (keys + [EntryKind.sharedRules]).map { EntryKind.rule.key(of: $0) }
            values = current.snapshot.layers.flatMap { layer in names.map { layer.held[$0]?.value } }
        }
    }

    private struct Place: Hashable {
        let key: String
        let source: String?
        let code: ConfigError.Code
    }

    private struct State {
        /// Each problem lasts as long as the values that were read.
        var known: [Place: (error: ConfigError, reading: Reading)] = [:]
        var log: (@Sendable (ConfigError) -> Void)?
    }

    private let state = Mutex(State())
    private static let maximum = 10_000

    /// Logs each problem from now on, once.
    func log(_ log: @escaping @Sendable (ConfigError) -> Void) { state.withLock { $0.log = log } }

    /// Remembers a problem until one of the values or rules is another.
    func report(_ error: ConfigError, in current: ConfigState.Snapshot) {
        let place = Place(key: error.key ?? "", source: error.source, code: error.code)
        let reading = Reading(of: place.key, in: current)
        let log: (@Sendable (ConfigError) -> Void)? = state.withLock { state in
            if state.known[place]?.reading == reading { return nil }
            // Keys that no configuration can have may be made of the input of users.
            if state.known[place] == nil, state.known.count >= Self.maximum { return nil }
            state.known[place] = (error, reading)
            return state.log
        }
        log?(error)
    }

    /// The problems with the values and rules of a state, sorted by key.
    func problems(in current: ConfigState.Snapshot) -> [ConfigError] {
        state.withLock(\.known).filter { $0.value.reading == Reading(of: $0.key.key, in: current) }
            .sorted { ($0.key.key, $0.key.source ?? "") < ($1.key.key, $1.key.source ?? "") }.map(\.value.error)
    }
}

extension ConfigState.Snapshot {
    /// Reports a value or a rule that cannot be used, once for each key while its values and rules stay the same.
    func report(_ problem: ConfigError) {
        if !snapshot.ruleProblems.contains(problem) { typeProblems.report(problem, in: self) }
    }

    /// Reports a key that no configuration can have.
    func reportIfInvalid(_ key: String) {
        if let error = ConfigError(inKey: key) { report(error) }
    }

    /// The errors of the source, of rules, and of values that were read as another type.
    public var problems: [ConfigError] {
        // A rule may have failed for another context before.
        let ofRules = Set(snapshot.ruleProblems.map { [$0.key, $0.source] })
        let others = typeProblems.problems(in: self)
            .filter { $0.code != .invalidRule || !ofRules.contains([$0.key, $0.source]) }
        return [status.problem].compactMap(\.self) + snapshot.ruleProblems + others
    }
}

extension ConfigError {
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
