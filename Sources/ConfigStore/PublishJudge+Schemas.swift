internal import ConfigModel
internal import ConfigSchemas

/// Whether changes keep the schemas that a namespace has after them.
extension PublishJudge {
    /// What changes break, and what is wrong with the schemas among them.
    ///
    /// Checked are the new values, and the present ones for which there is another schema afterwards. A value that already
    /// broke its schema, since it was written without a server, prevents no other change.
    func violations<Transaction: StoreTransaction>(
        by changes: [NewRevision.Change],
        in namespace: String,
        _ transaction: Transaction
    ) throws(Transaction.Failure) -> [ViolationMessage] {
        let present = try transaction.schemas(in: namespace)
        var (edits, values): ([String: EntryValue?], [String: EntryValue]) = ([:], [:])
        for change in changes {
            if let name = SchemaKey.name(of: change.key) {
                edits[name] = .some(change.value)
            } else if let value = change.value {
                values[change.key] = value
            }
        }
        if edits.isEmpty { return present.isEmpty ? [] : present.violations(of: values.pairs).map(\.message) }
        let (next, faults) = present.changed(by: edits)
        if !faults.isEmpty { return faults }
        let changed = Set(changes.map(\.key))
        for name in edits.keys {
            for (key, entry) in try transaction.entries(in: namespace, under: name) where !changed.contains(key) {
                guard let schema = next.schema(forKey: key)?.schema, schema != present.schema(forKey: key)?.schema
                else { continue }
                values[key] = entry.value
            }
        }
        return next.violations(of: values.pairs).map(\.message)
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
        return (next, Array(faults.prefix(ConfigSchema.maximumViolations)))
    }
}

extension StoreTransaction {
    /// The live entries of the keys that a schema of this name can be for.
    fileprivate func entries(in namespace: String, under name: String) throws(Failure) -> [String: StoredEntry] {
        guard name.hasSuffix("*") else {
            return try entry(name, in: namespace).map { [name: $0] } ?? [:]
        }
        let entries = try entries(in: namespace, from: String(name.dropLast()))
        return entries.filter { SchemaKey.name(of: $0.key) == nil }
    }
}

extension [String: EntryValue] {
    fileprivate var pairs: [(key: String, value: EntryValue)] { map { ($0.key, $0.value) } }
}
