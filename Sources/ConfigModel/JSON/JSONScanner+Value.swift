// SPDX-License-Identifier: Apache-2.0

extension JSONScanner {
    /// The limits of values and numbers.
    package struct ValueLimits: Sendable {
        let bytes: Int
        let depth: Int
        let numbers: Numbers
        /// The kind of the entry that is read, for its errors.
        var kind = EntryKind.value

        /// How numbers are read that not every JSON reader takes for the same.
        enum Numbers {
            /// They are rejected.
            case rejected
            /// The nearest double is taken.
            case rounded
            /// Any `Int` is an integer; otherwise the nearest double is taken.
            case kept
        }

        /// The limits of entries, which every JSON reader has to agree on.
        package static let entries = ValueLimits(
            bytes: EntryValue.maximumBytes,
            depth: EntryValue.maximumDepth,
            numbers: .rejected
        )
        /// The limits of what a store has: also a draft, which contains many entries.
        package static let stored = ValueLimits(
            bytes: 4 * 1024 * 1024,
            depth: EntryValue.maximumDepth + 8,
            numbers: .rejected
        )
        /// The limits of an evaluation context: its numbers are doubles, as flagd reads them.
        package static let context = ValueLimits(
            bytes: EntryValue.maximumBytes,
            depth: EntryValue.maximumDepth,
            numbers: .rounded
        )
        /// The limits of values that stay in one program, such as tweaks.
        package static let ownValues = ValueLimits(bytes: 8 * 1024 * 1024, depth: 64, numbers: .kept)
    }

    /// Reads a configuration value: any value of JSON but `null`.
    ///
    /// - Throws: `tooLarge` before the rest of a value that is too large, or too deep, is read.
    package mutating func value() throws(ConfigError) -> EntryValue {
        skipWhitespace()
        let start = location
        let value = try anyValue()
        guard value == .null else { return value }
        throw ConfigError(.unsupportedValue, "null is not a value; remove the key instead", location: start)
    }

    /// Reads the content of an entry of a kind, whose name is in its errors.
    package mutating func reading<Content>(
        _ kind: EntryKind,
        _ read: (inout JSONScanner) throws(ConfigError) -> Content
    ) throws(ConfigError) -> Content {
        limits.kind = kind
        defer { limits.kind = .value }
        return try read(&self)
    }

    /// Reads a value of JSON, which may be `null`.
    package mutating func anyValue() throws(ConfigError) -> EntryValue {
        skipWhitespace()
        var open = OpenValue(start: location, limits)
        return try value(in: &open)
    }

    /// - Parameter open: the value of the key, of which this one is a part or which it is itself.
    private mutating func value(in open: inout OpenValue) throws(ConfigError) -> EntryValue {
        skipWhitespace()
        guard let byte = current else { throw unexpected("a value") }
        let value: EntryValue
        switch byte {
        case UInt8(ascii: "["): return .array(try elements(in: &open))
        case UInt8(ascii: "{"): return .object(try members(in: &open))
        case UInt8(ascii: "\""): value = .string(try text(in: open))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): value = try number()
        case UInt8(ascii: "a")...UInt8(ascii: "z"): value = try word().map(EntryValue.boolean) ?? .null
        default: throw unexpected("a value")
        }
        try open.add(value)
        return value
    }

    private mutating func text(in open: OpenValue) throws(ConfigError) -> String {
        guard let text = try string(atMost: limits.bytes) else { throw open.tooLarge }
        return text
    }

    // The recursion depth is bounded by the maximum depth of a value.
    private mutating func elements(in open: inout OpenValue) throws(ConfigError) -> [EntryValue] {
        try open.enter()
        var elements: [EntryValue] = []
        try array { (scanner) throws(ConfigError) in
            elements.append(try scanner.value(in: &open))
            // The comma after it.
            try open.add(1)
        }
        try open.leave(isEmpty: elements.isEmpty)
        return elements
    }

    private mutating func members(in open: inout OpenValue) throws(ConfigError) -> EntryObject {
        try open.enter()
        var members: [EntryObject.Member] = []
        var starts: [TextLocation] = []
        try self.members { (name, start, scanner) throws(ConfigError) in
            // The colon and the comma.
            try open.add(EntryValue.quotedByteCount(name) + 2)
            members.append((key: name, value: try scanner.value(in: &open)))
            starts.append(start)
        }
        try open.leave(isEmpty: members.isEmpty)
        let object = EntryObject(members)
        if object.count < members.count {
            var names: Set<[UInt8]> = []
            let second = members.firstIndex { !names.insert(Array($0.key.utf8)).inserted } ?? 0
            let shown = members[second].key.excerpt(ofScalars: 64)
            throw ConfigError(.duplicateKey, "duplicate name \"\(shown)\"; remove one", location: starts[second])
        }
        return object
    }

    /// Reads `true`, `false` or `null`, which is `nil`.
    package mutating func word() throws(ConfigError) -> Bool? {
        let start = location
        let word = String(decoding: read { $0.isSmallLetter }, as: UTF8.self)
        switch word {
        case "true": return true
        case "false": return false
        case "null": return nil
        default:
            throw ConfigError(
                .syntax,
                "expected a value, found '\(word.prefix(20))'; put strings in quotes",
                location: start
            )
        }
    }
}

/// The value of a key while it is read: how large it is so far, and how deep in it the part is that is read.
private struct OpenValue {
    private let start: TextLocation
    private let limits: JSONScanner.ValueLimits
    private var bytes = 0
    private var depth = 0

    init(start: TextLocation, _ limits: JSONScanner.ValueLimits) { (self.start, self.limits) = (start, limits) }

    var tooLarge: ConfigError {
        let advice =
            switch limits.kind {
            case .value: "store large content elsewhere and set its URL"
            case .rule:
                """
                compare an attribute instead of listing users, move conditions to shared evaluators, or store large variants \
                elsewhere and set their URLs
                """
            case .schema: "remove descriptions and examples, or divide it by key"
            }
        let message = "the \(limits.kind.rawValue) is larger than \(limits.bytes) bytes; \(advice)"
        return ConfigError(.tooLarge, message, location: start)
    }

    /// Counts a scalar.
    mutating func add(_ scalar: EntryValue) throws(ConfigError) {
        if depth > 0 { return try add(scalar.canonicalByteCount) }
        guard scalar.isWithinMaximumBytes || scalar.canonicalByteCount <= limits.bytes else { throw tooLarge }
    }

    mutating func add(_ count: Int) throws(ConfigError) {
        bytes += count
        guard bytes <= limits.bytes else { throw tooLarge }
    }

    /// Counts the bracket that opens an array or object.
    mutating func enter() throws(ConfigError) {
        depth += 1
        guard depth <= limits.depth else {
            let message = "the \(limits.kind.rawValue) is nested deeper than \(limits.depth) levels"
            throw ConfigError(.tooLarge, message, location: start)
        }
        try add(1)
    }

    /// Counts the bracket that closes it, which takes the place of the comma after the last element.
    mutating func leave(isEmpty: Bool) throws(ConfigError) {
        depth -= 1
        if isEmpty { try add(1) }
    }
}

extension JSONScanner {
    /// Reads a number by the grammar of RFC 8259, section 6.
    ///
    /// Different notations of one number are the same value. A number is rejected if a double cannot represent its digits, and
    /// an integer beyond ±(2^53 − 1) unless it has the form of RFC 8785, since every written value must be readable.
    mutating func number() throws(ConfigError) -> EntryValue {
        if let integer = shortInteger() { return .integer(integer) }
        let start = location
        let (text, isInteger) = try numberText()
        // "-0" is a number that no integer has.
        if limits.numbers == .kept, isInteger, text != "-0", let integer = Int(text) { return .integer(integer) }
        let number = try Self.double(text, at: start)
        let value = EntryValue(number: number)
        if limits.numbers != .rejected { return value }
        // A double represents any fifteen digits.
        if text.utf8.count <= 15, (1e-200...1e200).contains(number.magnitude) { return value }
        let spelling = value.canonicalJSON
        if isInteger, case .double = value, spelling != text {
            let message = "the integer exceeds ±(2^53 − 1) and is not portable in JSON; use a string"
            throw ConfigError(.unsupportedValue, message, location: start)
        }
        guard DecimalDigits(of: text) == DecimalDigits(of: spelling) else {
            let message = "the number has too many digits for a double; use \(spelling), or a string"
            throw ConfigError(.unsupportedValue, message, location: start)
        }
        return value
    }

    /// Reads an integer of up to 15 digits, which every JSON reader agrees on; anything else stays to be read.
    private mutating func shortInteger() -> Int? {
        let isNegative = current == UInt8(ascii: "-")
        let start = isNegative ? offset + 1 : offset
        var (end, magnitude) = (start, 0)
        while end < bytes.count, bytes[end].isDigit, end - start < 15 {
            magnitude = magnitude * 10 + Int(bytes[end] - UInt8(ascii: "0"))
            end += 1
        }
        guard end > start, end - start == 1 || bytes[start] != UInt8(ascii: "0") else { return nil }
        if end < bytes.count, bytes[end].isDigit || bytes[end] == UInt8(ascii: ".") || bytes[end] | 0x20 == 0x65 {
            return nil
        }
        offset = end
        return isNegative ? -magnitude : magnitude
    }

    package static func double(_ text: String, at place: TextLocation) throws(ConfigError) -> Double {
        guard let number = Double(text), number.isFinite else {
            throw ConfigError(.unsupportedValue, "the number is too large for a double; use a string", location: place)
        }
        return number
    }

    /// - Returns: a number's text, and whether it has neither a fraction nor an exponent.
    package mutating func numberText() throws(ConfigError) -> (text: String, isInteger: Bool) {
        let startOffset = offset
        let start = location
        if current == UInt8(ascii: "-") { advance() }
        let whole = try digits()
        if whole.count > 1, whole.first == UInt8(ascii: "0") {
            throw ConfigError(.syntax, "a number must not start with 0", location: start)
        }
        var isInteger = true
        if current == UInt8(ascii: ".") {
            isInteger = false
            advance()
            _ = try digits()
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            isInteger = false
            advance()
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { advance() }
            _ = try digits()
        }
        return (String(decoding: bytes[startOffset..<offset], as: UTF8.self), isInteger)
    }

    private mutating func digits() throws(ConfigError) -> ArraySlice<UInt8> {
        let digits = read { $0.isDigit }
        guard !digits.isEmpty else { throw unexpected("a digit") }
        return digits
    }
}

extension EntryValue {
    /// Reads a text that is one value: any value of JSON but `null`.
    ///
    /// - Throws: `syntax`, `unsupportedValue`, `tooLarge` or `duplicateKey`, with the line and column of the error.
    public init(json: [UInt8]) throws(ConfigError) { try self.init(json: json, of: .value) }

    /// The same as the content of an entry of a kind.
    package init(json: [UInt8], of kind: EntryKind) throws(ConfigError) {
        self = try JSONScanner.whole(json) { (scanner) throws(ConfigError) in
            scanner.limits.kind = kind
            return try scanner.value()
        }
    }

    /// Reads what a store has.
    package init(stored json: [UInt8]) throws(ConfigError) {
        self = try JSONScanner.whole(json) { (scanner) throws(ConfigError) in
            scanner.limits = .stored
            return try scanner.value()
        }
    }

    /// Reads a text that is one value of JSON, which may be `null`, for values that stay in this program: an integer may be any
    /// `Int`, and of other numbers the nearest double is taken.
    ///
    /// - Throws: `syntax`, `unsupportedValue` for a number beyond all doubles, `tooLarge` or `duplicateKey`, with the line and
    ///   column of the error.
    public init(text: String) throws(ConfigError) { try self.init(anyJSON: Array(text.utf8)) }

    /// Reads bytes that are one value of JSON in UTF-8, which may be `null`, with any numbers.
    package init(anyJSON bytes: [UInt8]) throws(ConfigError) {
        self = try JSONScanner.whole(bytes) { (scanner) throws(ConfigError) in
            scanner.limits = .ownValues
            return try scanner.anyValue()
        }
    }

    /// The value of a finite number: an integer where it is one that every JSON reader agrees on.
    package init(number: Double) {
        // Converted back and forth: rounding would need the C library's mathematics, and nothing else here does.
        let isInRange = number.magnitude <= Double(Self.maximumInteger)
        self = isInRange && Double(Int(number)) == number ? .integer(Int(number)) : .double(number)
    }
}
