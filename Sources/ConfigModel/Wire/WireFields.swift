/// The members that messages of the wire are made of.
struct WireFields {
    var epoch: Epoch?
    var digest: ConfigDigest?
    var revision: UInt64?
    var from: UInt64?
    var to: UInt64?
    var entries: [String: ConfigValue]?
    var upserts: [String: ConfigValue]?
    var deletes: [String]?
    var isReset = false

    mutating func read(_ name: String, from scanner: inout JSONScanner) throws(ConfigError) {
        switch name {
        case "epoch": epoch = try scanner.parsed("epoch")
        case "digest": digest = try scanner.parsed("digest")
        case "revision": revision = try scanner.revision()
        case "from": from = try scanner.revision()
        case "to": to = try scanner.revision()
        case "entries": entries = try scanner.values()
        case "upserts": upserts = try scanner.values()
        case "deletes": deletes = try scanner.keys()
        case "reset": isReset = try scanner.value() == .boolean(true)
        default: try scanner.skipValue()
        }
    }

    func required<Field>(_ field: KeyPath<WireFields, Field?>, _ name: String) throws(ConfigError) -> Field {
        guard let value = self[keyPath: field] else {
            throw ConfigError(.syntax, "the member '\(name)' is missing: this is no answer of a Livery server")
        }
        return value
    }

    func changeset() throws(ConfigError) -> Changeset {
        let changes = Changeset(
            from: try required(\.from, "from"),
            to: try required(\.to, "to"),
            digest: try required(\.digest, "digest"),
            upserts: try required(\.upserts, "upserts"),
            deletes: Set(try required(\.deletes, "deletes"))
        )
        guard changes.from <= changes.to else { throw ConfigError(.syntax, "the change leads backwards") }
        return changes
    }
}

extension JSONWriter {
    mutating func members(of changes: Changeset, epoch: Epoch) {
        member("epoch") { $0.string(epoch.description) }
        member("from") { $0.number(changes.from) }
        member("to") { $0.number(changes.to) }
        member("digest") { $0.string(changes.digest.description) }
        member("upserts") { $0.values(changes.upserts.lazy.map { ($0.key, $0.value) }) }
        member("deletes") { $0.strings(changes.deletes.sorted()) }
    }
}
