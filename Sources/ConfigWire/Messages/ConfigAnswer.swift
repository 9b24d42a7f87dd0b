// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// The response of a Livery server to `GET /v1/{namespace}/config`.
package enum ConfigAnswer: Hashable, Sendable {
    /// The whole state, marked as a reset if the client requested changes that the server no longer has.
    case snapshot(ServerSnapshot, isReset: Bool)
    /// The changes since the revision of the request.
    case changes(Changeset, epoch: Epoch)
}

extension ConfigAnswer {
    /// Reads an answer. Unknown members are ignored, missing ones are errors.
    package init(json: [UInt8]) throws(ConfigError) {
        let fields = try ConfigMembers(json)
        if var entries = fields.entries {
            for case (let name, let rule?) in fields.rules {
                entries.update(rule, forKey: EntryKind.rule.key(of: name))
            }
            let digest = try fields.digest.required("digest")
            let state = ServerSnapshot(
                cursor: try fields.cursor,
                digest: digest,
                entries: entries,
                schemas: fields.schemas
            )
            self = .snapshot(state, isReset: fields.isReset)
        } else {
            self = .changes(try fields.changeset, epoch: try fields.epoch.required("epoch"))
        }
    }

    /// The answer as a body.
    package var json: [UInt8] {
        switch self {
        case .snapshot(let state, let isReset):
            let (values, rules) = EntryKind.divided(state.entries)
            return Self.json(
                of: values,
                rules: rules,
                at: state.cursor,
                state.digest,
                schemas: state.schemas,
                isReset: isReset
            )
        case .changes(let changes, let epoch):
            return JSONWriter.object { object in
                object.members(of: changes, epoch: epoch)
            }
        }
    }

    /// The answer with a whole state as a body, from entries in any order.
    package static func json(
        of values: [(key: String, value: EntryValue)],
        rules: [String: EntryValue] = [:],
        at cursor: RevisionCursor,
        _ digest: ConfigDigest,
        schemas: [String: EntryValue]? = nil,
        isReset: Bool,
        reservingBytes capacity: Int = 256
    ) -> [UInt8] {
        JSONWriter.object(reservingBytes: capacity) { object in
            object.members(of: cursor)
            object.member("digest") { $0.string(digest.description) }
            if isReset { object.member("reset") { $0.boolean(true) } }
            object.member("entries") { $0.values(values) }
            object.member(rules: rules.mapValues { $0 })
            if let schemas {
                let schemas = schemas.map { (key: $0, value: $1) }
                object.member("schema_digest") { $0.string(ConfigDigest(schemas).description) }
                object.member("schemas") { $0.values(schemas) }
            }
        }
    }
}

extension JSONWriter {
    mutating func members(of cursor: RevisionCursor) {
        member("epoch") { $0.string(cursor.epoch.description) }
        member("revision") { $0.number(cursor.revision) }
    }

    /// Writes the rules of a state, or their changes; nothing if there are none.
    fileprivate mutating func member(rules: [String: EntryValue?]) {
        if !rules.isEmpty { member("rules") { $0.edits(rules) } }
    }

    /// Writes the members of a change, as answers and events have them.
    mutating func members(of changes: Changeset, epoch: Epoch) {
        member("epoch") { $0.string(epoch.description) }
        member("from") { $0.number(changes.from) }
        member("to") { $0.number(changes.to) }
        member("digest") { $0.string(changes.digest.description) }
        let (values, rules) = EntryKind.divided(changes.values.upserts.lazy.map { ($0.key, $0.value) })
        let deletes = changes.values.deletes.map { EntryKind.named($0) }
        member("upserts") { $0.values(values) }
        member("deletes") { $0.strings(deletes.lazy.filter { $0.kind == .value }.map(\.name).sorted()) }
        var edits: [String: EntryValue?] = rules.mapValues { $0 }
        for (kind, name) in deletes where kind == .rule { edits[name] = .some(nil) }
        member(rules: edits)
        if let digest = changes.schemaDigest { member("schema_digest") { $0.string(digest.description) } }
        let schemas = changes.schemas
        if schemas.isEmpty { return }
        member("schema_upserts") { $0.values(schemas.upserts.lazy.map { ($0.key, $0.value) }) }
        member("schema_deletes") { $0.strings(schemas.deletes.sorted()) }
    }
}

/// The members of an answer or of an event as they are read.
struct ConfigMembers {
    private(set) var epoch: Epoch?
    private var revision: UInt64?
    private(set) var digest: ConfigDigest?
    private(set) var schemaDigest: ConfigDigest?
    private(set) var entries: KeyedValues<EntryValue>?
    private(set) var isReset = false
    private(set) var schemas: [String: EntryValue]?
    /// The rules of a state, or their changes.
    private(set) var rules: [String: EntryValue?] = [:]
    private var from: UInt64?
    private var to: UInt64?
    private var upserts: [String: EntryValue]?
    private var deletes: [String]?
    private var schemaChanges = EntryChanges()

    init(_ json: [UInt8]) throws(ConfigError) {
        try JSONScanner.object(json, atMost: .max) { (name, scanner) throws(ConfigError) in
            switch name {
            case "digest": digest = try scanner.parsed("digest")
            case "schema_digest": schemaDigest = try scanner.parsed("digest")
            case "entries": entries = try scanner.values()
            case "reset": isReset = try scanner.value() == .boolean(true)
            case "rules": rules = try scanner.edits(of: .rule)
            case "schemas": schemas = try scanner.schemas()
            case "from": from = try scanner.revision()
            case "to": to = try scanner.revision()
            case "upserts": upserts = try scanner.values().mapValues(\.self)
            case "deletes": deletes = try scanner.names(of: .value)
            case "schema_upserts": schemaChanges.upserts = try scanner.schemas()
            case "schema_deletes": schemaChanges.deletes = Set(try scanner.names(of: .schema))
            case "epoch": epoch = try scanner.parsed("epoch")
            case "revision": revision = try scanner.revision()
            default: try scanner.skipValue()
            }
        }
    }

    var cursor: RevisionCursor {
        get throws(ConfigError) {
            RevisionCursor(epoch: try epoch.required("epoch"), revision: try revision.required("revision"))
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
                schemas: schemaChanges
            )
            changes.schemaDigest = schemaDigest
            for (name, rule) in rules {
                let key = EntryKind.rule.key(of: name)
                changes.values.set(rule, of: key)
            }
            guard changes.from <= changes.to else { throw ConfigError(.syntax, "the change ends before it starts") }
            return changes
        }
    }
}

extension Optional {
    /// The value of a member that an answer must have.
    func required(_ name: String) throws(ConfigError) -> Wrapped {
        guard let self else {
            throw ConfigError(.syntax, "missing member '\(name)': not a response of a Livery server")
        }
        return self
    }
}

extension ConfigAnswer {
    static let schema = WireSchema.object(
        "Config",
        [
            .required("epoch", .epoch), .required("digest", .digest),
            .optional("revision", .revision), .optional("entries", .values),
            .optional("reset", WireSchema(["const": true])), .optional("rules", .ruleEdits),
            .optional("schema_digest", .digest), .optional("schemas", .schemas),
            .optional("from", .revision), .optional("to", .revision),
            .optional("upserts", .values), .optional("deletes", .key.list()),
            .optional("schema_upserts", .schemas), .optional("schema_deletes", .schemaName.list()),
        ]
    )
}
