// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigSchemas

/// Whether a namespace matches its schemas after changes.
extension StoreReads {
    /// The schema violations of changes, and the errors in changed schemas.
    ///
    /// This covers the new values, those of the variants of new rules too, and the current ones whose schema changes. A
    /// value that already violated its schema, since it was written without a server, prevents no other change.
    ///
    /// - Parameter revision: of a check of the new values, and of the present ones.
    func schemaViolations(
        by changes: [NewRevision.Change],
        in namespace: String,
        since revision: UInt64?,
        within budget: inout SchemaBudget
    ) throws(Failure) -> [ViolationMessage] {
        let present = try schemas(in: namespace)
        var (edits, entries): ([String: EntryValue?], [String: EntryValue]) = ([:], [:])
        for change in changes {
            if let name = EntryKind.schema.name(of: change.key) {
                edits[name] = .some(change.value)
            } else if let value = change.value, revision == nil {
                entries[change.key] = value
            }
        }
        if edits.isEmpty { return present.isEmpty ? [] : present.violations(ofEntries: entries, within: &budget) }
        let (next, faults) = present.changed(by: edits)
        if !faults.isEmpty { return faults }
        let changed = Set(changes.map(\.key))
        for (key, entry) in try self.entries(in: namespace, under: edits.keys)
        where !changed.contains(key) && entry.revision > revision ?? 0 {
            // Only by their names: schemas may be large, and keys many.
            let valueKey = EntryKind.named(key).name
            guard let name = next.schema(forKey: valueKey)?.name,
                edits[name] != nil || present.schema(forKey: valueKey)?.name != name
            else { continue }
            entries[key] = entry.value
        }
        return next.violations(ofEntries: entries, within: &budget)
    }

    /// The live entries, values and rules, of the keys that schemas of these names can be for.
    fileprivate func entries(
        in namespace: String,
        under names: some Collection<String>
    ) throws(Failure) -> [String: StoredEntry] {
        var found: [String: StoredEntry] = [:]
        for kind in [EntryKind.value, .rule] {
            for beginning in Self.beginnings(of: names) {
                let entries = try entries(in: namespace, from: kind.key(of: beginning))
                found.merge(entries.filter { EntryKind(of: $0.key) == kind }) { $1 }
            }
            for key in names.filter({ !$0.hasSuffix("*") }).map(kind.key) where found[key] == nil {
                found[key] = try entry(key, in: namespace)
            }
        }
        return found
    }

    /// The prefixes of the keys, so that each entry is read once and in a few reads; if these are many, all entries are read.
    private static func beginnings(of names: some Collection<String>) -> [String] {
        var beginnings: [String] = []
        for beginning in names.filter({ $0.hasSuffix("*") }).map({ String($0.dropLast()) }).sorted() {
            // A prefix of another name is next to it in this order.
            if let last = beginnings.last, beginning.hasPrefix(last) { continue }
            beginnings.append(beginning)
        }
        return beginnings.count > 16 ? [""] : beginnings
    }
}

extension SchemaSet {
    /// The schemas after changes, or the errors of the new ones.
    fileprivate func changed(by edits: [String: EntryValue?]) -> (schemas: SchemaSet, faults: [ViolationMessage]) {
        var (next, faults) = (self, [ViolationMessage]())
        for (name, value) in edits.sorted(by: { $0.key < $1.key }) where faults.count < ConfigSchema.maximumViolations {
            do throws(SchemaError) {
                next.schemas[name] = try value.map { value throws(SchemaError) in try ConfigSchema(value) }
            } catch {
                faults += error.faults.map { ViolationMessage(schema: name, pointer: $0.pointer, message: $0.message) }
            }
        }
        if faults.isEmpty, next.patternSteps > SchemaSet.maximumPatternSteps, next.patternSteps > patternSteps {
            let message = """
                the patterns in the schemas of the namespace are too complex: more than \
                \(SchemaSet.maximumPatternSteps) steps in total; use fewer or smaller repetitions
                """
            faults = edits.keys.sorted().map { ViolationMessage(schema: $0, pointer: "", message: message) }
        }
        return (next, Array(faults.prefix(ConfigSchema.maximumViolations)))
    }

    /// The violations of values and of the variants of rules, which have one budget.
    fileprivate func violations(
        ofEntries entries: [String: EntryValue],
        within budget: inout SchemaBudget
    ) -> [ViolationMessage] {
        var found: [ViolationMessage] = []
        for kind in [EntryKind.value, .rule] {
            let named = entries.compactMap { key, entry in kind.name(of: key).map { (name: $0, entry: entry) } }
            for (name, entry) in named.sorted(by: { $0.name < $1.name })
            where found.count < ConfigSchema.maximumViolations {
                found +=
                    kind == .rule
                    ? violations(ofRule: entry, forKey: name, within: &budget)
                    : violations(of: entry, forKey: name, within: &budget).map(\.message)
            }
        }
        return Array(found.prefix(ConfigSchema.maximumViolations))
    }

    private func violations(
        ofRule rule: EntryValue,
        forKey key: String,
        within budget: inout SchemaBudget
    ) -> [ViolationMessage] {
        guard case .object(let members) = rule, case .object(let variants)? = members["variants"] else { return [] }
        var found: [ViolationMessage] = []
        for (name, value) in variants where found.count < ConfigSchema.maximumViolations {
            let place = JSONPointer.root.appending("variants").appending(name).description
            found += violations(of: value, forKey: key, within: &budget).map { violation in
                var message = violation.message
                (message.key, message.rule, message.pointer) = (nil, key, place + message.pointer)
                return message
            }
        }
        return found
    }
}
