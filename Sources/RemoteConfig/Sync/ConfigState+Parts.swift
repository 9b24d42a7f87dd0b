// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules

// Values that are made of several keys, or whose topmost layer has one of another type.
extension ConfigState.Snapshot {
    /// The results in a context of the rules that may read the time.
    func timedValues(for context: EvaluationContext) -> [EntryValue?] {
        compiledRules.rules(forKeys: ruledKeys, of: snapshot, where: ConfigRule.mayReadTime)
            .map { $0.evaluate(in: context, at: now.seconds).value }
    }

    /// The keys below a key, sorted; all keys below the empty one. It costs a sort when it is first asked for, as
    /// ``keys`` does.
    func keys(below key: String) -> ArraySlice<String> { keys.sortedKeys(below: key) }

    /// The object that a key, the keys below it and the objects above it make up; `nil` if there is none, or a conflict.
    func object(atKey key: String) -> EntryValue? {
        let parts = ValueParts(of: key, below: keys(below: key), in: snapshot)
        if exposureLog.isOn { expose(parts) }
        return parts.entry?.value
    }

    /// Reads the value that a key, the keys below it and the objects above it make up.
    ///
    /// - Parameters:
    ///   - readsBranches: Whether the keys below it count.
    ///   - exposes: Whether the program may receive the value.
    ///   - read: Reads a value, with the name of its source; the error has the path of the part that cannot be read.
    /// - Throws: `typeMismatch`.
    func valueOfParts<Value>(
        forKey key: String,
        _ readsBranches: Bool = true,
        exposes: Bool = true,
        _ read: (_ value: EntryValue, _ source: String) throws -> Value
    ) throws(ConfigError) -> Value? {
        var parts = ValueParts(of: key, below: readsBranches ? keys(below: key) : [], in: snapshot)
        defer { if exposes, exposureLog.isOn { expose(parts) } }
        return try parts.value(reading: read) { report($0) }
    }

    /// Records the rules that the value of a key, with its entry, is made of.
    func expose(_ entry: ConfigEntry?, ofKey key: String) {
        guard exposureLog.isOn else { return }
        if snapshot.layers.count == 1 { return expose(key, servedBy: entry.map { _ in 0 }) }
        expose(ValueParts(of: key, below: entry?.value.isObject == true ? keys(below: key) : [], in: snapshot))
    }

    private func expose(_ parts: ValueParts) {
        for (key, layer) in parts.servedKeys { expose(key, servedBy: layer) }
    }
}
