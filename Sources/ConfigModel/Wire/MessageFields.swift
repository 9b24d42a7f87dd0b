/// The members that answers about entries, history and receipts are made of, as a client reads them.
struct MessageFields {
    var key: String?
    var value: ConfigValue?
    var revision: UInt64?
    var createdAt: Timestamp?
    var updatedAt: Timestamp?
    var epoch: Epoch?
    var author: String?
    var message: String?
    var changed: [String]?

    mutating func read(_ name: String, from scanner: inout JSONScanner) throws(ConfigError) {
        switch name {
        case "key": key = try scanner.text()
        case "value": value = try scanner.skipNull() ? nil : try scanner.value()
        case "revision": revision = try scanner.revision()
        case "created_at": createdAt = try scanner.parsed("time")
        case "updated_at": updatedAt = try scanner.skipNull() ? nil : try scanner.parsed("time")
        case "epoch": epoch = try scanner.parsed("epoch")
        case "author": author = try scanner.skipNull() ? nil : try scanner.text()
        case "message": message = try scanner.skipNull() ? nil : try scanner.text()
        case "changed": changed = try scanner.keys()
        default: try scanner.skipValue()
        }
    }

    func required<Field>(_ field: KeyPath<MessageFields, Field?>, _ name: String) throws(ConfigError) -> Field {
        guard let value = self[keyPath: field] else {
            throw ConfigError(.syntax, "the member '\(name)' is missing: this is no answer of a Livery server")
        }
        return value
    }
}

extension JSONScanner {
    /// Passes over `null`, if it is next.
    package mutating func skipNull() throws(ConfigError) -> Bool {
        skipWhitespace()
        guard bytes.dropFirst(offset).starts(with: "null".utf8) else { return false }
        try skipValue()
        return true
    }
}

extension JSONWriter {
    /// Writes a text, or `null` where there is none.
    package mutating func optional(_ text: String?) {
        if let text { string(text) } else { null() }
    }
}
