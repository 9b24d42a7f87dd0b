// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
package import ConfigRules
package import ConfigSchemas

/// The values of a namespace, or some of them, the schemas that they must match, and the rules that select values for
/// users.
package struct NamespaceContents: Hashable, Sendable {
    package var values: [String: EntryValue]
    /// By schema name.
    package var schemas: [String: EntryValue]
    /// By their keys.
    package var rules: [String: EntryValue]

    package init(
        values: [String: EntryValue] = [:],
        schemas: [String: EntryValue] = [:],
        rules: [String: EntryValue] = [:]
    ) {
        (self.values, self.schemas, self.rules) = (values, schemas, rules)
    }

    /// - Parameter state: without schemas if it was read without.
    package init(of state: ServerSnapshot) {
        self.init(schemas: state.schemas ?? [:])
        for (key, value) in state.entries {
            let (kind, name) = EntryKind.named(key)
            if kind == .rule { rules[name] = value } else { values[name] = value }
        }
    }

    package init(of document: ConfigDocument) {
        self.init(
            values: document.entries.mapValues(\.value),
            schemas: document.schemas,
            rules: ConfigRule.namingBucketing(in: document.rules.mapValues(\.value))
        )
    }

    /// The entries of a kind by name.
    package subscript(kind: EntryKind) -> [String: EntryValue] {
        get {
            switch kind {
            case .value: values
            case .schema: schemas
            case .rule: rules
            }
        }
        set {
            switch kind {
            case .value: values = newValue
            case .schema: schemas = newValue
            case .rule: rules = newValue
            }
        }
    }
}

extension NamespaceContents {
    /// The values and the rules, without the schemas.
    package var entries: [String: EntryValue] {
        rules.reduce(into: values) { $0[EntryKind.rule.key(of: $1.key)] = $1.value }
    }

    /// The schema that applies to a key.
    package func schema(forKey key: String) -> EntryValue? { namedSchema(forKey: key)?.schema }

    /// The name of the schema that applies to a key, and the schema.
    package func namedSchema(forKey key: String) -> (name: String, schema: EntryValue)? {
        SchemaName.candidates(forKey: key).lazy.compactMap { name in schemas[name].map { (name, $0) } }.first
    }

    /// Refuses changes as the server would, before anything is sent to it.
    ///
    /// - Throws: `rejected` with each violation, if a new value violates its schema, or a current one a changed schema.
    package func check(_ changes: ConfigDiff) throws(ConfigError) {
        let violations = violations(by: changes)
        if !violations.isEmpty { throw .breakingSchemas(violations) }
    }

    func violations(by changes: ConfigDiff) -> [ViolationMessage] {
        let faults = ruleFaults(in: changes)
        if !faults.isEmpty { return faults }
        let present = SchemaSet(reading: schemas)
        var next = schemas
        for change in changes.schemas { next[change.key] = change.new }
        let after = SchemaSet(reading: next)
        if after.isEmpty { return [] }
        var checked: [String: EntryValue] = [:]
        for change in changes.values { checked[change.key] = change.new }
        if !changes.schemas.isEmpty {
            let changed = Set(changes.values.map(\.key))
            for (key, value) in values where !changed.contains(key) {
                let schema = after.schema(forKey: key)?.schema
                if schema != present.schema(forKey: key)?.schema { checked[key] = value }
            }
        }
        return after.violations(of: checked.map { (key: $0, value: $1) }).map(\.message)
    }
}

extension NamespaceContents {
    /// The errors in the new rules. The server checks variants against schemas.
    package func ruleFaults(in changes: ConfigDiff) -> [ViolationMessage] {
        var next = rules
        for change in changes.rules { next[change.key] = change.new }
        var faults: [ViolationMessage] = []
        var evaluators = RuleEvaluators.none
        do throws(RuleError) {
            evaluators = try next[EntryKind.sharedRules].map(RuleEvaluators.init) ?? .none
        } catch {
            faults = error.messages(of: EntryKind.sharedRules)
        }
        var checked = changes.rules.map(\.key).filter { $0 != EntryKind.sharedRules }
        if checked.count < changes.rules.count {
            // Rules that are not changed use the shared evaluators as well.
            let changed = Set(checked)
            checked += next.filter { !changed.contains($0.key) && $0.key != EntryKind.sharedRules }
                .filter { ConfigRule.refersToEvaluators($0.value) }.keys.sorted()
        }
        for key in checked {
            guard let rule = next[key] else { continue }
            do throws(RuleError) {
                _ = try ConfigRule(rule, evaluators: evaluators)
            } catch {
                faults += error.messages(of: key)
            }
        }
        if faults.isEmpty, let first = changes.rules.first?.key, let problem = RuleCost.problem(of: next) {
            faults = [ViolationMessage(rule: first, pointer: "", message: problem)]
        }
        return faults
    }
}

extension RuleError {
    /// The errors in the form in which a server reports them.
    package func messages(of rule: String) -> [ViolationMessage] {
        faults.map { ViolationMessage(rule: rule, pointer: $0.pointer, message: $0.message) }
    }
}

extension SchemaSet {
    /// Reads schemas that a server has accepted. One that only newer programs can read allows any value here: the server
    /// itself checks by it.
    package init(reading schemas: [String: EntryValue]) {
        self.init()
        for (name, schema) in schemas {
            // The server checks by schemas that only another version can read.
            self.schemas[name] = (try? ConfigSchema(schema)) ?? (try? ConfigSchema(true))
        }
    }
}

extension ViolationMessage {
    /// `app.menu: /0/url: the member "url" is missing`.
    package var words: String {
        let subject = key ?? rule.map { "rule \($0)" } ?? "schema \(schema ?? "")"
        return [subject, pointer.excerpt(ofScalars: 200), message].filter { !$0.isEmpty }.joined(separator: ": ")
    }
}
