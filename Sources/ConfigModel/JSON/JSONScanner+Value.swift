extension JSONScanner {
    /// Reads a configuration value: a scalar, or an array of scalars of one kind.
    /// - Throws: `tooLarge` before the rest of a value that is too large is read.
    package mutating func value() throws(ConfigError) -> EntryValue {
        skipWhitespace()
        let start = location
        if current == UInt8(ascii: "{") {
            let message = "a value is not an object; give each of its members a key of its own, such as 'theme.color'"
            throw error(.unsupportedValue, message)
        }
        if current == UInt8(ascii: "[") { return try array(from: start) }
        let value = try scalar(of: start)
        guard value.isWithinMaximumBytes else { throw Self.tooLarge(start) }
        return value
    }

    private static func tooLarge(_ start: TextLocation) -> ConfigError {
        ConfigError(
            .tooLarge,
            "the value is larger than \(EntryValue.maximumBytes) bytes; keep large content elsewhere and put its URL here",
            location: start
        )
    }

    /// - Parameter start: where the outermost value starts.
    private mutating func scalar(of start: TextLocation) throws(ConfigError) -> EntryValue {
        skipWhitespace()
        guard let byte = current else { throw unexpected("a value") }
        switch byte {
        case UInt8(ascii: "\""):
            guard let text = try string(atMost: EntryValue.maximumBytes) else { throw Self.tooLarge(start) }
            return .string(text)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case UInt8(ascii: "a")...UInt8(ascii: "z"):
            let start = location
            if let flag = try word() { return .boolean(flag) }
            throw ConfigError(.unsupportedValue, "null is not a value; leave the key out instead", location: start)
        case UInt8(ascii: "["): throw error(.unsupportedValue, "an array may not hold an array")
        case UInt8(ascii: "{"): throw error(.unsupportedValue, "an array may not hold an object")
        default: throw unexpected("a value")
        }
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
                "expected a value, found '\(word.prefix(20))'; texts need quotes",
                location: start
            )
        }
    }

    private mutating func array(from start: TextLocation) throws(ConfigError) -> EntryValue {
        try expect("[", "")
        if skip("]") { return .strings([]) }
        var elements: [EntryValue] = []
        var bytes = 1
        repeat {
            skipWhitespace()
            let place = location
            let element = try scalar(of: start)
            if let last = elements.last, last.kindName != element.kindName {
                throw ConfigError(
                    .unsupportedValue,
                    "an array holds values of one kind: all strings, all numbers or all Booleans",
                    location: place
                )
            }
            // With the comma after it, or the bracket.
            bytes += element.canonicalByteCount + 1
            guard bytes <= EntryValue.maximumBytes else { throw Self.tooLarge(start) }
            elements.append(element)
        } while skip(",")
        try expect("]", "or ',' in the array")
        guard let array = EntryValue(array: elements) else { throw unexpected("values of one kind") }
        return array
    }
}

extension JSONScanner {
    /// Reads a number by the grammar of RFC 8259, section 6.
    /// Spellings of one number are one value. An integer beyond ±(2^53 − 1) is read only as RFC 8785 spells it,
    /// since what is written must be readable and any other digits would be lost.
    mutating func number() throws(ConfigError) -> EntryValue {
        if let integer = shortInteger() { return .integer(integer) }
        let start = location
        let (text, isInteger) = try numberText()
        let number = try Self.double(text, at: start)
        let value = EntryValue(number: number)
        if isInteger, case .double = value, value.canonicalJSON != text {
            let message = "the integer is beyond ±(2^53 − 1), where JSON readers disagree; write it as a string"
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
            throw ConfigError(.unsupportedValue, "the number is too large", location: place)
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
            throw ConfigError(.syntax, "a number may not start with 0", location: start)
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
    /// The value of a finite number: an integer where it is one that every JSON reader agrees on.
    fileprivate init(number: Double) {
        // Converted back and forth: rounding would need the C library's mathematics, and nothing else here does.
        let isInRange = number.magnitude <= Double(Self.maximumInteger)
        self = isInRange && Double(Int(number)) == number ? .integer(Int(number)) : .double(number)
    }

    /// Joins scalars of one kind into an array; `nil` if their kinds differ.
    fileprivate init?(array elements: [EntryValue]) {
        var strings: [String] = []
        var integers: [Int] = []
        var doubles: [Double] = []
        var booleans: [Bool] = []
        for element in elements {
            switch element {
            case .string(let text): strings.append(text)
            case .boolean(let flag): booleans.append(flag)
            case .double(let number): doubles.append(number)
            case .integer(let number):
                integers.append(number)
                doubles.append(Double(number))
            default: return nil
            }
        }
        switch elements.count {
        case strings.count: self = .strings(strings)
        case booleans.count: self = .booleans(booleans)
        case integers.count: self = .integers(integers)
        case doubles.count: self = .doubles(doubles)
        default: return nil
        }
    }
}
