// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// An entry as `GET /v1/{namespace}/entries` lists it, or a schema or a rule as `…/schemas` and `…/rules` do.
public struct EntryMessage: Hashable, Sendable {
    /// The kind of the entry.
    public var kind: EntryKind
    /// The key, or the name of the schema or the rule.
    public var key: String
    /// The value, the schema or the rule.
    public var value: EntryValue
    /// The revision of the value.
    public var revision: UInt64
    /// The creation time of the entry.
    public var createdAt: Timestamp
    /// The time at which the value was set.
    public var updatedAt: Timestamp

    /// Creates an entry from its parts.
    package init(
        _ kind: EntryKind = .value,
        key: String,
        value: EntryValue,
        revision: UInt64,
        createdAt: Timestamp,
        updatedAt: Timestamp
    ) {
        (self.kind, self.key) = (kind, key)
        (self.value, self.revision, self.createdAt, self.updatedAt) = (value, revision, createdAt, updatedAt)
    }
}

extension EntryMessage {
    /// Reads one entry, the answer to `GET /v1/{namespace}/entries/{key}`. Missing members are errors.
    package init(json: [UInt8], _ kind: EntryKind = .value) throws(ConfigError) {
        var members = Members()
        try JSONScanner.object(json, atMost: .max) { (name, scanner) throws(ConfigError) in
            try members.read(name, of: kind, from: &scanner)
        }
        try self.init(members, kind)
    }

    /// Reads a list of entries, the answer to `GET /v1/{namespace}/entries`. Missing members are errors.
    ///
    /// - Returns: the entries, and the position in the store's history where they are true.
    package static func list(
        json: [UInt8],
        _ kind: EntryKind = .value
    ) throws(ConfigError) -> (entries: [EntryMessage], cursor: RevisionCursor) {
        var entries: [EntryMessage] = []
        var position = CursorMembers()
        try JSONScanner.object(json, atMost: .max) { (name, scanner) throws(ConfigError) in
            guard name == kind.listName else { return try position.read(name, from: &scanner) }
            try scanner.array { (scanner) throws(ConfigError) in
                var members = Members()
                try scanner.object { (name, scanner) throws(ConfigError) in
                    try members.read(name, of: kind, from: &scanner)
                }
                entries.append(try EntryMessage(members, kind))
            }
        }
        return (entries, try position.cursor)
    }

    private struct Members {
        var (key, value, revision) = (String?.none, EntryValue?.none, UInt64?.none)
        var (createdAt, updatedAt) = (Timestamp?.none, Timestamp?.none)

        mutating func read(
            _ name: String,
            of kind: EntryKind,
            from scanner: inout JSONScanner
        ) throws(ConfigError) {
            switch name {
            case "key": key = try scanner.text()
            case kind.rawValue: value = try scanner.value()
            case "revision": revision = try scanner.revision()
            case "created_at": createdAt = try scanner.parsed("time")
            case "updated_at": updatedAt = try scanner.parsed("time")
            default: try scanner.skipValue()
            }
        }
    }

    private init(_ members: Members, _ kind: EntryKind) throws(ConfigError) {
        self.kind = kind
        key = try kind.checked(try members.key.required("key"))
        value = try members.value.required(kind.rawValue)
        revision = try members.revision.required("revision")
        createdAt = try members.createdAt.required("created_at")
        updatedAt = try members.updatedAt.required("updated_at")
    }

    /// The entry as a body.
    package var json: [UInt8] { JSONWriter.object(writeMembers) }

    /// A list of entries of one kind as a body, with the position in the store's history where it is true; of schemas with
    /// their digest, since that of the namespace does not count them.
    package static func json(
        of entries: some Collection<EntryMessage>,
        _ kind: EntryKind = .value,
        at cursor: RevisionCursor
    ) -> [UInt8] {
        JSONWriter.object { object in
            object.members(of: cursor)
            if kind == .schema {
                let digest = ConfigDigest(entries.lazy.map { ($0.key, $0.value) })
                object.member("schema_digest") { $0.string(digest.description) }
            }
            object.member(kind.listName, each: entries) { entry, json in json.object(entry.writeMembers) }
        }
    }

    /// Writes the members of the entry.
    package func writeMembers(to object: inout JSONWriter) {
        object.member("key") { $0.string(key) }
        object.member(kind.rawValue) { $0.value(value) }
        object.member("revision") { $0.number(revision) }
        object.member("created_at") { $0.string(createdAt.description) }
        object.member("updated_at") { $0.string(updatedAt.description) }
    }
}

extension EntryMessage {
    /// The entity tag of the entry, without quotes. It has a digest of the value and the dates: a copy of a store may have
    /// others at the same revision.
    package func tag(in epoch: Epoch) -> String {
        let dates = [createdAt, updatedAt].map { EntryValue.integer(Int($0.milliseconds)) }
        let contents = EntryValue.array([value] + dates)
        let digest = ConfigDigest(CollectionOfOne((key: key, value: contents)))
        return "\(RevisionCursor(epoch: epoch, revision: revision))-\(digest)"
    }
}

extension EntryMessage {
    static func schema(_ kind: EntryKind) -> WireSchema {
        .object(
            kind == .value ? "Entry" : kind == .schema ? "SchemaEntry" : "RuleEntry",
            [
                .required("key", kind.nameSchema), .required(kind.rawValue, kind.valueSchema),
                .required("revision", .revision), .required("created_at", .time), .required("updated_at", .time),
            ]
        )
    }

    /// The schema of a list of entries.
    static func listSchema(_ kind: EntryKind) -> WireSchema {
        .object(
            kind == .value ? "Entries" : kind == .schema ? "Schemas" : "Rules",
            CursorMembers.schemas + (kind == .schema ? [.required("schema_digest", .digest)] : [])
                + [.required(kind.listName, schema(kind).list())]
        )
    }
}

extension EntryKind {
    /// The schema of the names of entries of this kind.
    var nameSchema: WireSchema { self == .value ? .key : self == .schema ? .schemaName : .ruleName }

    /// The schema of values of this kind.
    var valueSchema: WireSchema { self == .value ? .value : self == .schema ? .jsonSchema : .rule }
}
