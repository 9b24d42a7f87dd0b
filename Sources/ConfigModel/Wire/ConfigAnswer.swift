/// What a Livery server answers to `GET /v1/{namespace}/config`.
public enum ConfigAnswer: Hashable, Sendable {
    /// The whole state, marked as a reset if the client requested changes that the server no longer has.
    case snapshot(ServerSnapshot, isReset: Bool)
    /// The changes since the revision of the request.
    case changes(Changeset, epoch: Epoch)
}

extension ConfigAnswer {
    /// Reads an answer.
    ///
    /// - Parameter json: the body, UTF-8. Unknown members are ignored.
    /// - Throws: ``ConfigError``, also for members that are missing.
    public init(json: [UInt8]) throws(ConfigError) {
        var fields = WireFields()
        try JSONScanner.object(json, atMost: .max) { (name, scanner) throws(ConfigError) in
            try fields.read(name, from: &scanner)
        }
        let epoch = try fields.epoch.required("epoch")
        let digest = try fields.digest.required("digest")
        if fields.entries != nil {
            let revision = try fields.revision.required("revision")
            let entries = try fields.entries.required("entries")
            let cursor = Cursor(epoch: epoch, revision: revision)
            self = .snapshot(
                ServerSnapshot(cursor: cursor, digest: digest, entries: entries),
                isReset: fields.isReset
            )
        } else {
            self = .changes(try fields.changeset(), epoch: epoch)
        }
    }

    /// The answer as a body.
    public var json: [UInt8] {
        var json = JSONWriter()
        json.object { object in
            switch self {
            case .snapshot(let snapshot, let isReset):
                object.member("epoch") { $0.string(snapshot.cursor.epoch.description) }
                object.member("revision") { $0.number(snapshot.cursor.revision) }
                object.member("digest") { $0.string(snapshot.digest.description) }
                if isReset { object.member("reset") { $0.boolean(true) } }
                object.member("entries") { $0.values(snapshot.entries.lazy.map { ($0.key, $0.value) }) }
            case .changes(let changes, let epoch):
                object.members(of: changes, epoch: epoch)
            }
        }
        return json.bytes
    }
}
