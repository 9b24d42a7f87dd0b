// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import ConfigRules

extension ConfigState {
    /// Creates a state with these values, for previews and for tests of what reads values.
    ///
    /// ```swift
    /// let config = ConfigReader(provider: RemoteConfigProvider(state: ConfigState(preview: ["app.title": "Hi"])))
    /// ```
    ///
    /// It stays as it is; for one that changes use a `TestSource`. It is empty, and has the problem, if a key is
    /// invalid.
    ///
    /// - Parameters:
    ///   - values: the values by key. An object is a branch of the keys, as in a plain document, unless the state is exact.
    ///   - rules: the rules of keys, as flagd writes them.
    ///   - context: the evaluation context; without one, no rule is evaluated.
    ///   - isExact: whether an object is the value of its key, as on a server.
    ///   - phase: the phase of the connection to the source.
    ///   - problem: the problem because of which the source cannot be read.
    public convenience init(
        preview values: [String: EntryValue],
        rules: [String: EntryValue] = [:],
        context: EvaluationContext? = nil,
        isExact: Bool = false,
        phase: SourceStatus.Phase = .streaming,
        problem: ConfigError? = nil
    ) {
        let source = "preview"
        var status = SourceStatus(source: source)
        (status.phase, status.origin, status.problem, status.hasFailed) = (phase, .source, problem, problem != nil)
        var entries = values
        for (key, rule) in rules { entries[EntryKind.rule.key(of: key)] = rule }
        var snapshot = EntrySnapshot.empty
        do throws(ConfigError) {
            let cursor = RevisionCursor(epoch: Epoch(rawValue: 1), revision: 1)
            let whole = try ServerSnapshot(values: entries, isExact: isExact, at: cursor, from: source)
            snapshot = try snapshot.updated(with: whole, from: source, at: Timestamp(milliseconds: 0)).snapshot
            var evaluator = RuleEvaluator(in: context)
            snapshot = evaluator.evaluated(alone: snapshot, at: .now)
        } catch {
            status.problem = problem ?? error
        }
        var current = Snapshot(snapshot: snapshot, status: status)
        current.context = context
        self.init(current)
    }
}

extension ServerSnapshot {
    /// The state of a source with these values, and with rules under their keys.
    ///
    /// - Throws: the error of a key, as when a document is read.
    package init(
        values: [String: EntryValue],
        isExact: Bool,
        at cursor: RevisionCursor,
        from source: String
    ) throws(ConfigError) {
        for key in values.keys.sorted() {
            guard let problem = EntryKind.problem(inKey: key) else { continue }
            throw ConfigError(.invalidKey, "the key \(problem)", source: source, key: key)
        }
        // Rules are objects of any source.
        let plain = values.filter { EntryKind(of: $0.key) == .value }
        var entries = isExact ? KeyedValues(plain) : try plain.flattened(from: source)
        for (key, value) in values where EntryKind(of: key) != .value { entries.update(value, forKey: key) }
        self.init(cursor: cursor, digest: ConfigDigest(entries.lazy.map { ($0.key, $0.value) }), entries: entries)
    }
}

extension [String: EntryValue] {
    /// The values as a plain document has them, where objects are branches of the keys.
    fileprivate func flattened(from source: String) throws(ConfigError) -> KeyedValues<EntryValue> {
        var json = JSONWriter()
        json.values(lazy.map { (key: $0.key, value: $0.value) })
        let entries = try ConfigDocument(generatedJSON: json.bytes, source: source).entries
        return entries.replacing(with: entries.values.map(\.value))
    }
}
