// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import ConfigSchemas
import TerminalUI

/// The values of a namespace, or some of them, the schemas that they have to keep, and the rules that say who gets which.
struct NamespaceContents: Hashable, Sendable {
    var values: [String: EntryValue]
    /// By schema name.
    var schemas: [String: EntryValue]
    /// By their keys.
    var rules: [String: EntryValue]

    init(values: [String: EntryValue] = [:], schemas: [String: EntryValue] = [:], rules: [String: EntryValue] = [:]) {
        (self.values, self.schemas, self.rules) = (values, schemas, rules)
    }

    /// - Parameter state: without schemas if it was read without, or from a server that has none yet.
    init(of state: ServerSnapshot) {
        self.init(schemas: state.schemas ?? [:])
        for (key, value) in state.entries {
            let (kind, name) = EntryKind.named(key)
            if kind == .rule { rules[name] = value } else { values[name] = value }
        }
    }

    init(of document: ConfigDocument) {
        self.init(
            values: document.values,
            schemas: document.schemas,
            rules: ConfigRule.namingBucketing(in: document.rules.mapValues(\.value))
        )
    }

    /// The entries of a kind by name.
    subscript(kind: EntryKind) -> [String: EntryValue] {
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

/// The entries of a document, as they apply to a namespace. `livery import` and `livery diff` both apply it.
struct DocumentContents: Hashable, Sendable {
    var contents: NamespaceContents
    /// The kinds that the document lists. Entries of other kinds stay as they are.
    var kinds: Set<EntryKind>
    /// Values for those of these keys that have none.
    var defaults: [String: EntryValue] = [:]

    /// The namespace with the document applied.
    ///
    /// - Parameter replaces: whether entries that the document does not have are removed, of the kinds that it lists.
    func applied(to present: NamespaceContents, replacing replaces: Bool) -> NamespaceContents {
        var (next, document) = (present, contents)
        for (key, value) in defaults where document.values[key] == nil {
            document.values[key] = present.values[key] ?? value
        }
        for kind in kinds {
            next[kind] = replaces ? document[kind] : present[kind].merging(document[kind]) { $1 }
        }
        return next
    }
}

extension DocumentContents {
    init(of document: ConfigDocument) { self.init(contents: NamespaceContents(of: document), kinds: document.kinds) }

    init(of file: FlagdFile) {
        let contents = NamespaceContents(values: file.values, rules: ConfigRule.namingBucketing(in: file.rules))
        self.init(contents: contents, kinds: [.value, .rule], defaults: file.defaults)
    }
}

extension NamespaceContents {
    /// The values and the rules, without the schemas.
    var entries: [String: EntryValue] {
        rules.reduce(into: values) { $0[EntryKind.rule.key(of: $1.key)] = $1.value }
    }

    /// The schema that counts for a key.
    func schema(forKey key: String) -> EntryValue? {
        SchemaName.candidates(forKey: key).lazy.compactMap { schemas[$0] }.first
    }

    /// Refuses changes as the server would, before anything is sent to it.
    ///
    /// - Throws: `rejected` with each violation, if a new value violates its schema, or a current one a changed schema.
    func check(_ changes: ConfigDiff) throws(ConfigError) {
        let violations = violations(by: changes)
        if !violations.isEmpty { throw .breakingSchemas(violations) }
    }

    private func violations(by changes: ConfigDiff) -> [ViolationMessage] {
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
    /// The number of entries of all kinds.
    private var count: Int { EntryKind.allCases.reduce(0) { $0 + self[$1].count } }

    /// Refuses changes that remove every key, or every entry of a namespace without keys.
    ///
    /// - Parameter action: what makes the changes, such as `--replace`.
    /// - Throws: `rejected`.
    func refuseRemovingAll(_ changes: ConfigDiff, by action: String) throws(ConfigError) {
        let what: String
        if changes.removed > 0, changes.removed == values.count {
            what = values.count == 1 ? "the only key" : "all \(values.count.grouped) keys"
        } else if !changes.isEmpty, changes.changes.allSatisfy({ $0.new == nil }), changes.changes.count == count {
            what = "all schemas and rules"
        } else {
            return
        }
        let reason = "nothing was written: \(action) would remove \(what) of the namespace"
        throw ConfigError(.rejected, "\(reason); if intended, add \(RemovalOptions.flag)")
    }

    /// The errors in the new rules. The server checks variants against schemas.
    func ruleFaults(in changes: ConfigDiff) -> [ViolationMessage] {
        var next = rules
        for change in changes.rules { next[change.key] = change.new }
        var faults: [ViolationMessage] = []
        var evaluators = RuleEvaluators.none
        do throws(RuleError) {
            evaluators = try next[EntryKind.sharedRules].map(RuleEvaluators.init) ?? .none
        } catch {
            faults = error.messages(of: EntryKind.sharedRules)
        }
        for case (let key, let rule?) in changes.rules.map({ ($0.key, $0.new) }) where key != EntryKind.sharedRules {
            do throws(RuleError) {
                _ = try ConfigRule(rule, evaluators: evaluators)
            } catch {
                faults += error.messages(of: key)
            }
        }
        return faults
    }
}

extension RuleError {
    /// The errors in the form in which a server reports them.
    func messages(of rule: String) -> [ViolationMessage] {
        faults.map { ViolationMessage(rule: rule, pointer: $0.pointer, message: $0.message) }
    }
}

extension SchemaSet {
    /// Reads schemas that a server has accepted. One that only newer programs can read allows any value here: the server
    /// itself checks by it.
    init(reading schemas: [String: EntryValue]) {
        self.init()
        for (name, schema) in schemas {
            // The server checks by schemas that only another version can read.
            self.schemas[name] = (try? ConfigSchema(schema)) ?? (try? ConfigSchema(true))
        }
    }
}

extension ViolationMessage {
    /// `app.menu: /0/url: the member "url" is missing`, in one line that is safe on any terminal.
    var line: String {
        let subject = key ?? rule.map { "rule \($0)" } ?? "schema \(schema ?? "")"
        return [subject, pointer.excerpt(ofScalars: 200), message].filter { !$0.isEmpty }.joined(separator: ": ")
            .sanitized()
    }
}
