extension JSONScanner {
    /// Reads a number by the grammar of RFC 8259, section 6.
    ///
    /// Spellings of one number are one value. An integer beyond ±(2^53 − 1) is read only as RFC 8785 spells it,
    /// since what is written must be readable and any other digits would be lost.
    mutating func number() throws(ConfigError) -> EntryValue {
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

    /// The value of a number's text.
    ///
    /// - Throws: `unsupportedValue` if it is too large.
    package static func double(_ text: String, at place: TextLocation) throws(ConfigError) -> Double {
        guard let number = Double(text), number.isFinite else {
            throw ConfigError(.unsupportedValue, "the number is too large", location: place)
        }
        return number
    }

    /// Skips a number by the grammar of RFC 8259, section 6.
    ///
    /// - Returns: its text, and whether it has neither a fraction nor an exponent.
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
        let digits = take { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
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
}
