/// The answer to a write of several keys and to a rollback: what came of it.
public struct PublishReceipt: Hashable, Sendable {
    /// Where the namespace is now.
    public var cursor: Cursor
    /// When it got there; `nil` if nothing had to change.
    public var updatedAt: Timestamp?
    /// The keys that really changed, sorted.
    public var changed: [String]

    /// Creates a receipt from its parts.
    public init(cursor: Cursor, updatedAt: Timestamp?, changed: [String]) {
        self.cursor = cursor
        self.updatedAt = updatedAt
        self.changed = changed
    }

    /// Reads a receipt. Members that are unknown here are passed over.
    ///
    /// - Throws: ``ConfigError``, also for members that are missing.
    public init(json: [UInt8]) throws(ConfigError) {
        var fields = MessageFields()
        try JSONScanner.object(json) { (name, scanner) throws(ConfigError) in
            try fields.read(name, from: &scanner)
        }
        let epoch = try fields.required(\.epoch, "epoch")
        cursor = Cursor(epoch: epoch, revision: try fields.required(\.revision, "revision"))
        updatedAt = fields.updatedAt
        changed = try fields.required(\.changed, "changed")
    }

    /// The receipt as a body.
    public var json: [UInt8] {
        var json = JSONWriter()
        json.object { object in
            object.member("epoch") { $0.string(cursor.epoch.description) }
            object.member("revision") { $0.number(cursor.revision) }
            object.member("updated_at") { $0.optional(updatedAt?.description) }
            object.member("changed") { $0.strings(changed) }
        }
        return json.bytes
    }
}
