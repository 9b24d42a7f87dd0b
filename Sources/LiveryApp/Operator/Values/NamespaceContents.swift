import ConfigModel
import ConfigSchemas
import TerminalUI

/// The values of a namespace, or some of them, and the schemas that they have to keep.
struct NamespaceContents: Hashable, Sendable {
    var values: [String: EntryValue]
    /// By what they are for.
    var schemas: [String: EntryValue]

    init(values: [String: EntryValue] = [:], schemas: [String: EntryValue] = [:]) {
        (self.values, self.schemas) = (values, schemas)
    }

    /// - Parameter state: without schemas if it was read without, or from a server that has none yet.
    init(of state: ServerSnapshot) {
        self.init(values: Dictionary(state.entries), schemas: state.schemas ?? [:])
    }

    init(of document: ConfigDocument) {
        self.init(values: document.values, schemas: document.schemas ?? [:])
    }
}

extension NamespaceContents {
    /// The schema that counts for a key.
    func schema(forKey key: String) -> EntryValue? {
        SchemaName.candidates(forKey: key).lazy.compactMap { schemas[$0] }.first
    }

    /// Refuses changes as the server would, before anything is sent to it.
    ///
    /// - Throws: `rejected` with each violation, if a new value breaks its schema, or a present one another schema than before.
    func check(_ changes: ConfigDiff) throws(ConfigError) {
        let violations = violations(by: changes)
        if !violations.isEmpty { throw .breakingSchemas(violations) }
    }

    private func violations(by changes: ConfigDiff) -> [ViolationMessage] {
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

extension SchemaSet {
    /// Reads schemas that a server has accepted. One that only newer programs can read allows any value here: the server
    /// itself checks by it.
    init(reading schemas: [String: EntryValue]) {
        self.init()
        for (name, schema) in schemas {
            self.schemas[name] = (try? ConfigSchema(schema)) ?? (try? ConfigSchema(true))
        }
    }
}

extension ViolationMessage {
    /// `app.menu: /0/url: the member "url" is missing`, in one line that is safe on any terminal.
    var line: String {
        let subject = key ?? "schema \(schema)"
        return [subject, pointer.excerpt(ofScalars: 200), message].filter { !$0.isEmpty }.joined(separator: ": ")
            .sanitized()
    }
}
