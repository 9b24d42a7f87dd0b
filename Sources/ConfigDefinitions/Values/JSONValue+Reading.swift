public import ConfigModel

extension JSONValue {
    /// Reads a text that is one JSON value.
    ///
    /// - Throws: `ConfigError` with the line and column of the first fault.
    public init(text: String) throws(ConfigError) {
        try self.init(utf8: Array(text.utf8))
    }

    package init(utf8 bytes: [UInt8]) throws(ConfigError) {
        guard bytes.count <= ConfigDocument.maximumBytes else {
            throw ConfigError(.tooLarge, "the text is larger than 8 MiB")
        }
        var scanner = try JSONScanner(bytes)
        self = try Self.read(from: &scanner, depth: 0)
        scanner.skipWhitespace()
        if scanner.current != nil { throw scanner.unexpected("nothing after the value") }
    }

    private static func read(from scanner: inout JSONScanner, depth: Int) throws(ConfigError) -> JSONValue {
        guard depth < maximumDepth else {
            throw scanner.error(.tooLarge, "the value nests deeper than \(maximumDepth) levels")
        }
        scanner.skipWhitespace()
        switch scanner.current {
        case UInt8(ascii: "\""): return .string(try scanner.text())
        case UInt8(ascii: "["): return .array(try elements(from: &scanner, depth: depth + 1))
        case UInt8(ascii: "{"): return .object(try members(from: &scanner, depth: depth + 1))
        case .some(UInt8(ascii: "a")...UInt8(ascii: "z")): return try scanner.word().map(JSONValue.boolean) ?? .null
        case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try number(from: &scanner)
        default: throw scanner.unexpected("a value")
        }
    }

    private static func elements(from scanner: inout JSONScanner, depth: Int) throws(ConfigError) -> [JSONValue] {
        var elements: [JSONValue] = []
        try scanner.array { (scanner) throws(ConfigError) in
            elements.append(try read(from: &scanner, depth: depth))
        }
        return elements
    }

    private static func members(
        from scanner: inout JSONScanner,
        depth: Int
    ) throws(ConfigError) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        try scanner.object { (name, scanner) throws(ConfigError) in
            members[name] = try read(from: &scanner, depth: depth)
        }
        return members
    }

    private static func number(from scanner: inout JSONScanner) throws(ConfigError) -> JSONValue {
        let start = scanner.location
        let (text, isInteger) = try scanner.numberText()
        // "-0" is a number that no integer has.
        if isInteger, let integer = Int(text), text != "-0" { return .integer(integer) }
        return .double(try JSONScanner.double(text, at: start))
    }
}
