/// A configuration value: what JSON can say without nesting.
///
/// An array holds elements of one kind; integers and decimals mixed in one array are all decimals. An empty
/// array has no kind, is kept as ``strings(_:)`` and may be read as an array of any kind.
public enum ConfigValue: Hashable, Sendable {
    /// A text of Unicode scalars.
    case string(String)
    /// A number without fraction or exponent, within ±(2^53 − 1), so that every JSON reader agrees on it.
    case integer(Int)
    /// Any other finite number, with the precision of an IEEE 754 double.
    case double(Double)
    /// A Boolean.
    case boolean(Bool)
    /// Texts, or nothing at all.
    case strings([String])
    /// Integers, at least one.
    case integers([Int])
    /// Decimals, at least one.
    case doubles([Double])
    /// Booleans, at least one.
    case booleans([Bool])

    /// The largest magnitude of an integer: 2^53 − 1, as in RFC 7493 (I-JSON), section 2.2.
    public static let maximumInteger = 9_007_199_254_740_991

    /// The most bytes that a value may take as canonical JSON: 65,535.
    public static let maximumBytes = 65_535
}

extension ConfigValue {
    /// The name of the value's kind as a user reads it: `string`, `number`, `Boolean`, `array of numbers`, ….
    public var kindName: String {
        switch self {
        case .string: "string"
        case .integer, .double: "number"
        case .boolean: "Boolean"
        case .strings(let elements): elements.isEmpty ? "empty array" : "array of strings"
        case .integers, .doubles: "array of numbers"
        case .booleans: "array of Booleans"
        }
    }
}
