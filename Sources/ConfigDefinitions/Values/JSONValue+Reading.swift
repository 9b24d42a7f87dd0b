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
        case .some(let byte) where isLetter(byte): return try word(from: &scanner)
        case .some: return try number(from: &scanner)
        case nil: throw scanner.unexpected("a value")
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

    private static func word(from scanner: inout JSONScanner) throws(ConfigError) -> JSONValue {
        let start = scanner.location
        let word = String(decoding: scanner.take(while: isLetter), as: UTF8.self)
        switch word {
        case "null": return .null
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        default:
            throw ConfigError(
                .syntax,
                "expected a value, found '\(word.prefix(20))'; texts need quotes",
                location: start
            )
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func number(from scanner: inout JSONScanner) throws(ConfigError) -> JSONValue {
        let start = scanner.location
        let bytes = scanner.take { isLetter($0) || "+-.0123456789".utf8.contains($0) }
        if bytes.isEmpty { throw scanner.unexpected("a value") }
        let text = String(decoding: bytes, as: UTF8.self)
        guard followsNumberGrammar(bytes) else {
            throw ConfigError(.syntax, "'\(text.prefix(20))' is no number", location: start)
        }
        // "-0" is a number that no integer has.
        if let integer = Int(text), text != "-0" { return .integer(integer) }
        guard let number = Double(text), number.isFinite else {
            throw ConfigError(.unsupportedValue, "the number is too large", location: start)
        }
        return .double(number)
    }

    /// Whether bytes are a number by RFC 8259, section 6.
    private static func followsNumberGrammar(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        func takeDigits() -> Int {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            rest = rest.dropFirst(digits.count)
            return digits.count
        }
        func take(_ choices: String) -> Bool {
            guard let byte = rest.first, choices.utf8.contains(byte) else { return false }
            rest = rest.dropFirst()
            return true
        }
        _ = take("-")
        let startsWithZero = rest.first == UInt8(ascii: "0")
        let whole = takeDigits()
        if whole == 0 || (startsWithZero && whole > 1) { return false }
        if take("."), takeDigits() == 0 { return false }
        if take("eE") {
            _ = take("+-")
            if takeDigits() == 0 { return false }
        }
        return rest.isEmpty
    }
}
