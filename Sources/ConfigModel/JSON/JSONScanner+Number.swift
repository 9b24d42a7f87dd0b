extension JSONScanner {
    /// Reads a number by the grammar of RFC 8259, section 6.
    mutating func number() throws(ConfigError) -> ConfigValue {
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
        let text = String(decoding: bytes[startOffset..<offset], as: UTF8.self)
        guard let value = isInteger ? Self.integer(text) : Self.double(text) else {
            throw ConfigError(
                .unsupportedValue,
                isInteger
                    ? "the integer is beyond ±(2^53 − 1), where JSON readers disagree; write it as a string"
                    : "the number is too large",
                location: start
            )
        }
        return value
    }

    private mutating func digits() throws(ConfigError) -> ArraySlice<UInt8> {
        let digits = take { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard !digits.isEmpty else { throw unexpected("a digit") }
        return digits
    }

    private static func integer(_ text: String) -> ConfigValue? {
        guard let number = Int(text), number.magnitude <= ConfigValue.maximumInteger else { return nil }
        return .integer(number)
    }

    private static func double(_ text: String) -> ConfigValue? {
        guard let number = Double(text), number.isFinite else { return nil }
        return .double(number)
    }
}
