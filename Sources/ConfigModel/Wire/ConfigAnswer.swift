// SPDX-License-Identifier: Apache-2.0

/// What a Livery server answers to `GET /v1/{namespace}/config`.
public enum ConfigAnswer: Hashable, Sendable {
    /// The whole state, marked as a reset if the client requested changes that the server no longer has.
    case snapshot(ServerSnapshot, isReset: Bool)
    /// The changes since the revision of the request.
    case changes(Changeset, epoch: Epoch)
}

extension ConfigAnswer {
    /// Reads an answer. Unknown members are ignored, missing ones are errors.
    public init(json: [UInt8]) throws(ConfigError) {
        let fields = try WireFields(json)
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
    public var json: [UInt8] {
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
                object.members(of: changes.schemas)
            }
        }
    }

    /// The answer with a whole state as a body, from entries in any order.
    package static func json(
        of values: [(key: String, value: EntryValue)],
        rules: [String: EntryValue] = [:],
        at cursor: Cursor,
        _ digest: ConfigDigest,
        schemas: [String: EntryValue]? = nil,
        isReset: Bool
    ) -> [UInt8] {
        JSONWriter.object { object in
            object.members(of: cursor)
            object.member("digest") { $0.string(digest.description) }
            if isReset { object.member("reset") { $0.boolean(true) } }
            object.member("entries") { $0.values(values) }
            object.edits(rules.mapValues { $0 }, of: .rule)
            if let schemas {
                let schemas = schemas.map { (key: $0, value: $1) }
                object.member("schema_digest") { $0.string(ConfigDigest(schemas).description) }
                object.member("schemas") { $0.values(schemas) }
            }
        }
    }
}

/// An event of the stream `GET /v1/{namespace}/events`.
public enum StreamEvent: Hashable, Sendable {
    /// The first event: where the stream starts. The changes from there on follow.
    case hello(Cursor, ConfigDigest)
    /// Something has changed.
    case change(Changeset, epoch: Epoch)
    /// A heartbeat: where the server is.
    case head(Cursor, ConfigDigest)
    /// The client must read the whole state; what follows applies to the state at this cursor.
    case reset(Cursor, ConfigDigest)

    /// The event's name on the wire.
    public var name: String {
        switch self {
        case .hello: "hello"
        case .change: "change"
        case .head: "head"
        case .reset: "reset"
        }
    }

    /// Where a client is that has understood the event: its `id` on the wire.
    public var cursor: Cursor {
        switch self {
        case .hello(let cursor, _), .head(let cursor, _), .reset(let cursor, _): cursor
        case .change(let changes, let epoch): Cursor(epoch: epoch, revision: changes.to)
        }
    }
}

extension StreamEvent {
    /// Reads an event by its name and its data, UTF-8 JSON. Unknown members are ignored.
    ///
    /// - Returns: `nil` if the event is one that only newer programs know.
    /// - Throws: ``ConfigError`` if the data are not what the name promises.
    public init?(name: String, data: [UInt8]) throws(ConfigError) {
        guard ["hello", "change", "head", "reset"].contains(name) else { return nil }
        let fields = try WireFields(data)
        if name == "change" {
            self = .change(try fields.changeset, epoch: try fields.epoch.required("epoch"))
            return
        }
        let (cursor, digest) = (try fields.cursor, try fields.digest.required("digest"))
        switch name {
        case "hello": self = .hello(cursor, digest)
        case "head": self = .head(cursor, digest)
        default: self = .reset(cursor, digest)
        }
    }

    /// The event's data: JSON in one line.
    public var json: [UInt8] {
        JSONWriter.object { object in
            switch self {
            case .change(let changes, let epoch):
                object.members(of: changes, epoch: epoch)
            case .hello(let cursor, let digest), .head(let cursor, let digest), .reset(let cursor, let digest):
                object.members(of: cursor)
                object.member("digest") { $0.string(digest.description) }
            }
        }
    }

    /// The event's bytes in the stream, its empty line included.
    public var encoded: [UInt8] {
        Array("event: \(name)\nid: \(cursor)\ndata: ".utf8) + json + Array("\n\n".utf8)
    }
}
