// SPDX-License-Identifier: Apache-2.0

/// The members of a server's answers and events, as a client reads them: a name means the same in all of them.
struct WireFields {
    var epoch: Epoch?
    var digest: ConfigDigest?
    var revision: UInt64?
    var from: UInt64?
    var to: UInt64?
    var entries: KeyedValues<EntryValue>?
    var upserts: [String: EntryValue]?
    var deletes: [String]?
    var isReset = false
    var kind = EntryKind.value
    var key: String?
    var value: EntryValue?
    var createdAt: Timestamp?
    var updatedAt: Timestamp?
    var author: String?
    var message: String?
    var changed: [String]?
    var schema: EntryValue?
    var rule: EntryValue?
    /// The rules of a state, or what became of them.
    var rules: [String: EntryValue?] = [:]
    var changedRules: [String]?
    var schemas: [String: EntryValue]?
    var schemaDigest: ConfigDigest?
    var schemaUpserts: [String: EntryValue]?
    var schemaDeletes: [String]?
    var changedSchemas: [String]?

    mutating func read(_ name: String, from scanner: inout JSONScanner) throws(ConfigError) {
        switch name {
        case "epoch": epoch = try scanner.parsed("epoch")
        case "digest": digest = try scanner.parsed("digest")
        case "revision": revision = try scanner.revision()
        case "from": from = try scanner.revision()
        case "to": to = try scanner.revision()
        case "entries": entries = try scanner.values()
        case "upserts": upserts = Dictionary(try scanner.values())
        case "deletes": deletes = try scanner.keys()
        case "reset": isReset = try scanner.value() == .boolean(true)
        case "key": key = try scanner.text()
        case "value": value = try scanner.skipNull() ? nil : try scanner.value()
        case "created_at": createdAt = try scanner.parsed("time")
        case "updated_at": updatedAt = try scanner.skipNull() ? nil : try scanner.parsed("time")
        case "author": author = try scanner.skipNull() ? nil : try scanner.text()
        case "message": message = try scanner.skipNull() ? nil : try scanner.text()
        case "changed": changed = try scanner.keys()
        case "kind": kind = try scanner.parsed("kind")
        case "rule": rule = try scanner.value()
        case "rules": rules = try scanner.edits(of: .rule)
        case "schema": schema = try scanner.value()
        case "schemas": schemas = try scanner.schemas()
        case "schema_digest": schemaDigest = try scanner.parsed("digest")
        case "schema_upserts": schemaUpserts = try scanner.schemas()
        case "schema_deletes": schemaDeletes = try scanner.names(of: .schema)
        case "changed_rules": changedRules = try scanner.names(of: .rule)
        case "changed_schemas": changedSchemas = try scanner.names(of: .schema)
        default: try scanner.skipValue()
        }
    }
}

extension WireFields {
    init(_ json: [UInt8]) throws(ConfigError) {
        self.init()
        try JSONScanner.object(json, atMost: .max) { (name, scanner) throws(ConfigError) in
            try read(name, from: &scanner)
        }
    }

    init(from scanner: inout JSONScanner) throws(ConfigError) {
        self.init()
        try scanner.object { (name, scanner) throws(ConfigError) in try read(name, from: &scanner) }
    }

    /// The name of an entry.
    ///
    /// - Throws: `invalidKey` if it cannot be one of this kind.
    func name(of kind: EntryKind) throws(ConfigError) -> String {
        let name = try key.required("key")
        guard let problem = kind.problem(inName: name) else { return name }
        throw ConfigError(.invalidKey, "the key \(problem)", key: name.shownAsKey)
    }

    var cursor: Cursor {
        get throws(ConfigError) {
            Cursor(epoch: try epoch.required("epoch"), revision: try revision.required("revision"))
        }
    }

    var changeset: Changeset {
        get throws(ConfigError) {
            var changes = Changeset(
                from: try from.required("from"),
                to: try to.required("to"),
                digest: try digest.required("digest"),
                upserts: try upserts.required("upserts"),
                deletes: Set(try deletes.required("deletes")),
                schemas: SchemaChanges(upserts: schemaUpserts ?? [:], deletes: Set(schemaDeletes ?? []))
            )
            for (name, rule) in rules {
                let key = EntryKind.rule.key(of: name)
                if let rule { changes.upserts[key] = rule } else { changes.deletes.insert(key) }
            }
            guard changes.from <= changes.to else { throw ConfigError(.syntax, "the change goes backwards") }
            return changes
        }
    }
}

extension Optional {
    /// The value of a member that an answer must have.
    func required(_ name: String) throws(ConfigError) -> Wrapped {
        guard let self else {
            throw ConfigError(.syntax, "the member '\(name)' is missing: this is not a Livery server's answer")
        }
        return self
    }
}

extension JSONScanner {
    /// Skips `null`, if it is next.
    package mutating func skipNull() throws(ConfigError) -> Bool {
        skipWhitespace()
        guard bytes.dropFirst(offset).starts(with: "null".utf8) else { return false }
        try skipValue()
        return true
    }
}

extension JSONScanner {
    /// Reads an object of schemas by what they are for.
    package mutating func schemas() throws(ConfigError) -> [String: EntryValue] {
        var schemas: [String: EntryValue] = [:]
        try object { (name, scanner) throws(ConfigError) in
            try scanner.check(name, .schema)
            schemas[name] = try scanner.value(named: name)
        }
        return schemas
    }

    /// Reads an array of the names of schemas or rules.
    mutating func names(of kind: EntryKind) throws(ConfigError) -> [String] {
        var names: [String] = []
        try array { (scanner) throws(ConfigError) in
            let name = try scanner.text()
            try scanner.check(name, kind)
            names.append(name)
        }
        return names
    }

    mutating func check(_ name: String, _ kind: EntryKind) throws(ConfigError) {
        guard let problem = kind.problem(inName: name) else { return }
        throw error(.invalidKey, "'\(name.excerpt(ofScalars: 64))' \(problem)")
    }
}

extension EntryKind {
    /// Values and rules of a state or a change, apart.
    static func divided(
        _ entries: some Sequence<(key: String, value: EntryValue)>
    ) -> (values: [(key: String, value: EntryValue)], rules: [String: EntryValue]) {
        var (values, rules) = ([(key: String, value: EntryValue)](), [String: EntryValue]())
        for (key, value) in entries {
            if let name = EntryKind.rule.name(of: key) { rules[name] = value } else { values.append((key, value)) }
        }
        return (values, rules)
    }
}

extension JSONWriter {
    /// Writes a value, or `null` where there is none.
    package mutating func optional<Value>(_ value: Value?, _ write: (inout JSONWriter, Value) -> Void) {
        if let value { write(&self, value) } else { null() }
    }

    mutating func members(of cursor: Cursor) {
        member("epoch") { $0.string(cursor.epoch.description) }
        member("revision") { $0.number(cursor.revision) }
    }

    mutating func members(of changes: Changeset, epoch: Epoch) {
        member("epoch") { $0.string(epoch.description) }
        member("from") { $0.number(changes.from) }
        member("to") { $0.number(changes.to) }
        member("digest") { $0.string(changes.digest.description) }
        let (values, rules) = EntryKind.divided(changes.upserts.lazy.map { ($0.key, $0.value) })
        let deletes = changes.deletes.map { EntryKind.named($0) }
        member("upserts") { $0.values(values) }
        member("deletes") { $0.strings(deletes.lazy.filter { $0.kind == .value }.map(\.name).sorted()) }
        var edits: [String: EntryValue?] = rules.mapValues { $0 }
        for (kind, name) in deletes where kind == .rule { edits[name] = .some(nil) }
        self.edits(edits, of: .rule)
    }

    mutating func members(of schemas: SchemaChanges) {
        if schemas.isEmpty { return }
        member("schema_upserts") { $0.values(schemas.upserts.lazy.map { ($0.key, $0.value) }) }
        member("schema_deletes") { $0.strings(schemas.deletes.sorted()) }
    }
}
