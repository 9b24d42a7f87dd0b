/// A configuration as one JSON document: an object whose nesting is flattened to dotted keys.
///
/// ```json
/// { "app": { "background": { "color": "#FFB6C1" } }, "app.min_version": "1.0.0" }
/// ```
///
/// has the keys `app.background.color` and `app.min_version`. A document is read whole or refused whole.
public struct ConfigDocument: Hashable, Sendable {
    /// A value and its place in the document.
    public struct Entry: Hashable, Sendable {
        /// The value.
        public var value: EntryValue
        /// Where the value starts.
        public var location: TextLocation
    }

    /// The entries by key.
    public private(set) var entries: [String: Entry] = [:]

    /// The most bytes a document may have: 8 MiB.
    public static let maximumBytes = 8 * 1024 * 1024

    /// Reads a document from UTF-8. Errors call it by the name of its source.
    ///
    /// - Throws: ``ConfigError`` with the line and column of the first fault, such as a duplicate key, `null`, an array
    ///   of mixed kinds, or a key or value beyond its limit.
    public init(json: [UInt8], source: String) throws(ConfigError) {
        do throws(ConfigError) {
            guard json.count <= Self.maximumBytes else {
                throw ConfigError(.tooLarge, "the document is larger than 8 MiB")
            }
            var scanner = try JSONScanner(json)
            scanner.skipWhitespace()
            guard scanner.current != nil else {
                throw scanner.error(.syntax, "the document is empty; write at least {}")
            }
            try readObject(prefix: "", from: &scanner)
            scanner.skipWhitespace()
            if scanner.current != nil { throw scanner.unexpected("nothing after the document's last '}'") }
        } catch {
            throw error.naming(source: source)
        }
    }

    // The depth of the recursion is bounded: each level uses two of the 128 characters of a key.
    private mutating func readObject(prefix: String, from scanner: inout JSONScanner) throws(ConfigError) {
        try scanner.expect("{", "to open an object")
        if scanner.skip("}") { return }
        var members = Members()
        repeat {
            try readMember(prefix: prefix, besides: &members, from: &scanner)
        } while scanner.skip(",")
        try scanner.expect("}", "or ',' after a value")
    }

    private mutating func readMember(
        prefix: String,
        besides members: inout Members,
        from scanner: inout JSONScanner
    ) throws(ConfigError) {
        scanner.skipWhitespace()
        guard scanner.current == UInt8(ascii: "\"") else { throw scanner.unexpected("a key in quotes") }
        let keyLocation = scanner.location
        let key = prefix + (try scanner.string())
        if let problem = KeyRule.problem(in: key) { throw .invalidKey(key, problem, at: keyLocation) }
        try scanner.expect(":", "after the key")
        scanner.skipWhitespace()
        let location = scanner.location
        let isObject = scanner.current == UInt8(ascii: "{")
        let value = entries[key]?.location
        if let first = isObject ? members.first(key, besides: value) : members.object(key) ?? value {
            let message = "duplicate key, first defined at \(first); remove one"
            throw ConfigError(.duplicateKey, message, location: keyLocation, key: key)
        }
        members.add(key, isObject: isObject, at: location)
        if isObject { return try readObject(prefix: key + ".", from: &scanner) }
        entries[key] = Entry(value: try scanner.value(named: key), location: location)
    }
}

/// The members of one object so far.
/// Two members of one name are duplicates even if one is an object, so that their keys differ: other readers would drop
/// the first. The document's entries show duplicate values; the other cases are rare, and cost nothing until then.
private struct Members {
    private var objects: [String: TextLocation] = [:]
    private var values: [(key: String, location: TextLocation)] = []
    private var valueIndex: [String: TextLocation] = [:]

    mutating func add(_ key: String, isObject: Bool, at location: TextLocation) {
        if isObject { objects[key] = location } else { values.append((key, location)) }
    }

    func object(_ key: String) -> TextLocation? { objects.isEmpty ? nil : objects[key] }

    /// - Parameter value: where any object of the document has a value of this key.
    mutating func first(_ key: String, besides value: TextLocation?) -> TextLocation? {
        if let object = object(key) { return object }
        guard value != nil else { return nil }
        for (key, location) in values { valueIndex[key] = location }
        values = []
        return valueIndex[key]
    }
}
