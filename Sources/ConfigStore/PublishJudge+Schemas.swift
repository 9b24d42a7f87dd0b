// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigSchemas

/// Whether changes keep the schemas that a namespace has after them.
extension PublishJudge {
    /// What changes break, and what is wrong with the schemas among them.
    ///
    /// Checked are the new values, those of the variants of new rules too, and the present ones for which there is another schema afterwards. A value that already
    /// broke its schema, since it was written without a server, prevents no other change.
    func violations<Transaction: StoreTransaction>(
        by changes: [NewRevision.Change],
        in namespace: String,
        _ transaction: Transaction
    ) throws(Transaction.Failure) -> [ViolationMessage] {
        let present = try transaction.schemas(in: namespace)
        var (edits, entries): ([String: EntryValue?], [String: EntryValue]) = ([:], [:])
        for change in changes {
            if let name = EntryKind.schema.name(of: change.key) {
                edits[name] = .some(change.value)
            } else if let value = change.value {
                entries[change.key] = value
            }
        }
        if edits.isEmpty { return present.isEmpty ? [] : present.violations(ofEntries: entries) }
        let (next, faults) = present.changed(by: edits)
        if !faults.isEmpty { return faults }
        let changed = Set(changes.map(\.key))
        for (key, entry) in try transaction.entries(in: namespace, under: edits.keys) where !changed.contains(key) {
            // Only by their names: schemas may be large, and keys many.
            let valueKey = EntryKind.named(key).name
            guard let name = next.schema(forKey: valueKey)?.name,
                edits[name] != nil || present.schema(forKey: valueKey)?.name != name
            else { continue }
            entries[key] = entry.value
        }
        return next.violations(ofEntries: entries)
    }
}

extension SchemaSet {
    /// The schemas after changes, or what is wrong with the new ones.
    fileprivate func changed(by edits: [String: EntryValue?]) -> (schemas: SchemaSet, faults: [ViolationMessage]) {
        var (next, faults) = (self, [ViolationMessage]())
        for (name, value) in edits.sorted(by: { $0.key < $1.key }) {
            do throws(SchemaError) {
                next.schemas[name] = try value.map { value throws(SchemaError) in try ConfigSchema(value) }
            } catch {
                faults += error.faults.map { ViolationMessage(schema: name, pointer: $0.pointer, message: $0.message) }
            }
        }
        if faults.isEmpty, next.patternSteps > SchemaSet.maximumPatternSteps, next.patternSteps > patternSteps {
            let message = """
                the patterns of all schemas of the namespace need more than \(SchemaSet.maximumPatternSteps) steps together; \
                repeat less in them
                """
            faults = edits.keys.sorted().map { ViolationMessage(schema: $0, pointer: "", message: message) }
        }
        return (next, Array(faults.prefix(ConfigSchema.maximumViolations)))
    }
}

extension StoreTransaction {
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

    /// What the keys begin with, each entry once, and in a few reads: where that would be many, all entries are read.
    private static func beginnings(of names: some Collection<String>) -> [String] {
        var beginnings: [String] = []
        for beginning in names.filter({ $0.hasSuffix("*") }).map({ String($0.dropLast()) }).sorted() {
            // What begins with another one is next to it in this order.
            if let last = beginnings.last, beginning.hasPrefix(last) { continue }
            beginnings.append(beginning)
        }
        return beginnings.count > 16 ? [""] : beginnings
    }
}

extension SchemaSet {
    /// What values break, and the variants of rules.
    fileprivate func violations(ofEntries entries: [String: EntryValue]) -> [ViolationMessage] {
        var values: [(key: String, value: EntryValue)] = []
        var ofVariants: [ViolationMessage] = []
        for (key, entry) in entries.sorted(by: { $0.key < $1.key }) {
            let (kind, name) = EntryKind.named(key)
            if kind == .rule {
                ofVariants += violations(ofRule: entry, forKey: name)
            } else {
                values.append((key, entry))
            }
        }
        return Array((violations(of: values).map(\.message) + ofVariants).prefix(ConfigSchema.maximumViolations))
    }

    private func violations(ofRule rule: EntryValue, forKey key: String) -> [ViolationMessage] {
        guard case .object(let members) = rule, case .object(let variants)? = members["variants"] else { return [] }
        return variants.flatMap { name, value in
            violations(of: [(key: key, value: value)]).map { violation in
                var message = violation.message
                let place = JSONPointer.root.appending("variants").appending(name)
                (message.key, message.rule, message.pointer) = (nil, key, place.description + message.pointer)
                return message
            }
        }
    }
}
