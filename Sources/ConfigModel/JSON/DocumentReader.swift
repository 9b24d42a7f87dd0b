/// Reads the object that a document is, and the objects in it.
struct DocumentReader {
    private(set) var entries = KeyedValues<ConfigDocument.Entry>()
    private var scanner: JSONScanner
    /// The bytes of the key that is read, or of the keys that lead to the object that is read, with a dot after each.
    private var path: [UInt8] = []
    /// How long the path to each entry's object is.
    private var pathLengths: [UInt8] = []

    init(_ scanner: JSONScanner) { self.scanner = scanner }

    mutating func read() throws(ConfigError) {
        scanner.skipWhitespace()
        guard scanner.current != nil else {
            throw scanner.error(.syntax, "the document is empty; write at least {}")
        }
        try readObject()
        scanner.skipWhitespace()
        if scanner.current != nil { throw scanner.unexpected("nothing after the document's last '}'") }
    }

    // The depth of the recursion is bounded: each level uses two of the 128 characters of a key.
    private mutating func readObject() throws(ConfigError) {
        try scanner.expect("{", "to open an object")
        if scanner.skip("}") { return }
        var object = OpenObject(pathLength: path.count, firstEntry: entries.count)
        repeat {
            try readMember(of: &object)
            path.removeLast(path.count - object.pathLength)
        } while scanner.skip(",")
        try scanner.expect("}", "or ',' after a value")
    }

    private mutating func readMember(of object: inout OpenObject) throws(ConfigError) {
        scanner.skipWhitespace()
        guard scanner.current == UInt8(ascii: "\"") else { throw scanner.unexpected("a key in quotes") }
        let keyLocation = scanner.location
        let key = try readKey(at: keyLocation)
        try scanner.expect(":", "after the key")
        scanner.skipWhitespace()
        let location = scanner.location
        let isObject = scanner.current == UInt8(ascii: "{")
        let place = entries.place(of: key)
        if let first = object.subobjects[key] ?? duplicate(at: place.index, of: isObject ? object : nil) {
            let message = "duplicate key, first defined at \(first); remove one"
            throw ConfigError(.duplicateKey, message, location: keyLocation, key: key)
        }
        if isObject {
            object.subobjects[key] = location
            path.append(UInt8(ascii: "."))
            return try readObject()
        }
        let value = try scanner.value(named: key)
        entries.append(ConfigDocument.Entry(value: value, location: location), forKey: key, at: place)
        pathLengths.append(UInt8(object.pathLength))
    }

    private mutating func readKey(at location: TextLocation) throws(ConfigError) -> String {
        try scanner.string(appendingTo: &path)
        let key = String(decoding: path, as: UTF8.self)
        if let problem = KeyRule.problem(in: path.span) { throw .invalidKey(key, problem, at: location) }
        return key
    }

    /// Where a key was defined before.
    ///
    /// Two members of one name are duplicates even if one is an object, so that their keys differ: other readers would
    /// drop the first. An object that stands elsewhere and leads to the same keys is none.
    ///
    /// - Parameter object: which is to have the value itself, if the second definition is an object.
    private func duplicate(at index: Int?, of object: OpenObject?) -> TextLocation? {
        guard let index else { return nil }
        // The objects in this one have longer paths.
        if let object, index < object.firstEntry || Int(pathLengths[index]) != object.pathLength { return nil }
        return entries.values[index].location
    }
}

/// An object whose end has not been read.
private struct OpenObject {
    /// How much of the path leads to its members.
    let pathLength: Int
    /// How many entries were there before it.
    let firstEntry: Int
    /// The members so far that are objects.
    var subobjects: [String: TextLocation] = [:]
}
