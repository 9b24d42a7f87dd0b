// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// An event of the stream `GET /v1/{namespace}/events`. With `?schemas=true` it has the digest of the schemas as well.
package enum StreamEvent: Hashable, Sendable {
    /// The first event: where the stream starts. The changes from there on follow.
    case hello(RevisionCursor, ConfigDigest, schemas: ConfigDigest? = nil)
    /// Something has changed.
    case change(Changeset, epoch: Epoch)
    /// A heartbeat: where the server is.
    case head(RevisionCursor, ConfigDigest, schemas: ConfigDigest? = nil)
    /// The client must read the whole state; what follows applies to the state at this cursor.
    case reset(RevisionCursor, ConfigDigest, schemas: ConfigDigest? = nil)

    private static let names = ["hello", "change", "head", "reset"]

    /// The event's name on the wire.
    package var name: String {
        switch self {
        case .hello: "hello"
        case .change: "change"
        case .head: "head"
        case .reset: "reset"
        }
    }

    /// The cursor of a client that has processed the event: its `id` on the wire.
    package var cursor: RevisionCursor {
        switch self {
        case .hello(let cursor, _, _), .head(let cursor, _, _), .reset(let cursor, _, _): cursor
        case .change(let changes, let epoch): RevisionCursor(epoch: epoch, revision: changes.to)
        }
    }
}

extension StreamEvent {
    /// Reads an event by its name and its data, UTF-8 JSON. Unknown members are ignored.
    ///
    /// - Returns: `nil` if the event is one that only newer programs know.
    /// - Throws: `ConfigError` if the data does not match the name.
    package init?(name: String, data: [UInt8]) throws(ConfigError) {
        guard Self.names.contains(name) else { return nil }
        let fields = try ConfigMembers(data)
        if name == "change" {
            self = .change(try fields.changeset, epoch: try fields.epoch.required("epoch"))
            return
        }
        let (cursor, digest) = (try fields.cursor, try fields.digest.required("digest"))
        let schemas = fields.schemaDigest
        switch name {
        case "hello": self = .hello(cursor, digest, schemas: schemas)
        case "head": self = .head(cursor, digest, schemas: schemas)
        default: self = .reset(cursor, digest, schemas: schemas)
        }
    }

    /// The event's data: JSON in one line.
    package var json: [UInt8] {
        JSONWriter.object { object in
            switch self {
            case .change(let changes, let epoch):
                object.members(of: changes, epoch: epoch)
            case .hello(let cursor, let digest, let schemas), .head(let cursor, let digest, let schemas),
                .reset(let cursor, let digest, let schemas):
                object.members(of: cursor)
                object.member("digest") { $0.string(digest.description) }
                if let schemas { object.member("schema_digest") { $0.string(schemas.description) } }
            }
        }
    }

    /// The event's bytes in the stream, its empty line included.
    package var encoded: [UInt8] {
        Array("event: \(name)\nid: \(cursor)\ndata: ".utf8) + json + Array("\n\n".utf8)
    }

    static let schema = WireSchema.object(
        "Event",
        [
            .optional("event", WireSchema(["enum": .array((names + [DraftMark.eventName]).map { .string($0) })])),
            .optional("id", .text),
            .optional("data", .text),
        ],
        "An event; the body is a sequence of events."
    )
}
