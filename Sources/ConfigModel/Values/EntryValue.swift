/// A configuration value: a scalar of JSON or an array of scalars.
///
/// An array holds elements of one kind; integers and decimals mixed in one array are all decimals. An empty
/// array has no kind, is kept as ``strings(_:)`` and may be read as an array of any kind.
public enum EntryValue: Sendable {
    /// A text of Unicode scalars.
    case string(String)
    /// A whole number within ±(2^53 − 1), so that every JSON reader agrees on it; `1`, `1.0` and `1e0` are one value.
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

    /// The most bytes of a value as canonical JSON: 65,535.
    public static let maximumBytes = 65_535
}

extension EntryValue: Hashable {
    /// Equal when they are of one kind and their canonical JSON is the same.
    ///
    /// Texts are compared by their Unicode scalars, as in JSON; to Swift, é in one scalar and in two are equal.
    public static func == (left: EntryValue, right: EntryValue) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)): left.hasSameScalars(as: right)
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.boolean(let left), .boolean(let right)): left == right
        case (.strings(let left), .strings(let right)): left.elementsEqual(right) { $0.hasSameScalars(as: $1) }
        case (.integers(let left), .integers(let right)): left == right
        case (.doubles(let left), .doubles(let right)): left == right
        case (.booleans(let left), .booleans(let right)): left == right
        default: false
        }
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(canonicalJSON)
    }
}

extension String {
    fileprivate func hasSameScalars(as other: String) -> Bool {
        utf8.elementsEqual(other.utf8)
    }
}

extension EntryValue {
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
