extension JSONScanner {
    /// Reads a configuration value: a scalar, or an array of scalars of one kind.
    package mutating func value() throws(ConfigError) -> ConfigValue {
        skipWhitespace()
        let start = location
        let startOffset = offset
        if current == UInt8(ascii: "{") {
            let message = "a value is not an object; give each of its members a key of its own, such as 'theme.color'"
            throw error(.unsupportedValue, message)
        }
        let value = current == UInt8(ascii: "[") ? try array() : try scalar()
        if value.isTooLarge(spelledIn: offset - startOffset) {
            throw ConfigError(
                .tooLarge,
                "the value is larger than \(ConfigValue.maximumBytes) bytes; keep large content elsewhere and put its URL here",
                location: start
            )
        }
        return value
    }

    private mutating func scalar() throws(ConfigError) -> ConfigValue {
        skipWhitespace()
        guard let byte = current else { throw unexpected("a value") }
        switch byte {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case UInt8(ascii: "a")...UInt8(ascii: "z"):
            let start = location
            if let flag = try word() { return .boolean(flag) }
            throw ConfigError(.unsupportedValue, "null is no value; leave the key out instead", location: start)
        case UInt8(ascii: "["): throw error(.unsupportedValue, "an array may not hold an array")
        case UInt8(ascii: "{"): throw error(.unsupportedValue, "an array may not hold an object")
        default: throw unexpected("a value")
        }
    }

    /// Reads `true`, `false` or `null`.
    ///
    /// - Returns: `nil` for `null`.
    package mutating func word() throws(ConfigError) -> Bool? {
        let start = location
        let word = String(decoding: take { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }, as: UTF8.self)
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

    private mutating func array() throws(ConfigError) -> ConfigValue {
        try expect("[", "")
        if skip("]") { return .strings([]) }
        var elements: [ConfigValue] = []
        repeat {
            skipWhitespace()
            let start = location
            elements.append(try scalar())
            if ConfigValue(array: elements.suffix(2)) == nil {
                throw ConfigError(
                    .unsupportedValue,
                    "an array holds values of one kind: all strings, all numbers or all Booleans",
                    location: start
                )
            }
        } while skip(",")
        try expect("]", "or ',' in the array")
        guard let array = ConfigValue(array: elements) else { throw unexpected("values of one kind") }
        return array
    }
}

extension ConfigValue {
    /// The most bytes of a number's canonical JSON: a sign, 17 digits, a point and `e-308`, or `0.00000` and 17 digits.
    private static let maximumNumberBytes = 25

    /// Whether the canonical JSON is over the limit, which need not be written out to know that of a short spelling.
    ///
    /// - Parameter count: the bytes of the value as it was spelled. A string's canonical JSON is never longer; a byte of
    ///   a number or an array may become a whole number.
    fileprivate func isTooLarge(spelledIn count: Int) -> Bool {
        if case .string = self, count <= Self.maximumBytes { return false }
        if count <= Self.maximumBytes / Self.maximumNumberBytes { return false }
        return canonicalJSON.utf8.count > Self.maximumBytes
    }

    /// Joins scalars of one kind into an array; `nil` if their kinds differ.
    init?(array elements: some Collection<ConfigValue>) {
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
        case doubles.count: self = .doubles(elements.compactMap(\.asDouble))
        default: return nil
        }
    }

    private var asDouble: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }
}
