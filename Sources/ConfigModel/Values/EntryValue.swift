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
        guard utf8.count == other.utf8.count else { return false }
        // Equal as texts is equal as bytes here, and is found out at once.
        return utf8Span.isKnownASCII && other.utf8Span.isKnownASCII ? self == other : utf8.elementsEqual(other.utf8)
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

/// A type that a configuration value can be read as.
///
/// Conform your own types to read them with ``EntrySnapshot/value(forKey:as:)``:
///
/// ```swift
/// enum Theme: String, EntryValueConvertible {
///     case light, dark
///     static let configTypeName = "theme (light or dark)"
///     init?(configValue: EntryValue) {
///         guard case .string(let name) = configValue else { return nil }
///         self.init(rawValue: name)
///     }
/// }
/// ```
public protocol EntryValueConvertible {
    /// What a value of this type is called in an error message, with an example of its form where one helps.
    static var configTypeName: String { get }

    /// Reads the value; `nil` if it has another form.
    init?(configValue: EntryValue)
}

extension EntryValueConvertible where Self: LosslessStringConvertible {
    /// Reads a string by the type's own form of text.
    public init?(configValue: EntryValue) {
        guard case .string(let text) = configValue else { return nil }
        self.init(text)
    }
}

extension String: EntryValueConvertible {
    /// `string`.
    public static var configTypeName: String { "string" }
}

extension RGBColor: EntryValueConvertible {
    /// `colour such as #FFB6C1`.
    public static var configTypeName: String { "colour such as #FFB6C1" }
}

extension Int: EntryValueConvertible {
    /// `integer`.
    public static var configTypeName: String { "integer" }

    /// Reads an integer; no other number is rounded to one.
    public init?(configValue: EntryValue) {
        guard case .integer(let number) = configValue else { return nil }
        self = number
    }
}

extension Double: EntryValueConvertible {
    /// `number`.
    public static var configTypeName: String { "number" }

    /// Reads any number.
    public init?(configValue: EntryValue) {
        switch configValue {
        case .double(let number): self = number
        case .integer(let number): self = Double(number)
        default: return nil
        }
    }
}

extension Bool: EntryValueConvertible {
    /// `Boolean`.
    public static var configTypeName: String { "Boolean" }

    /// Reads `true` or `false`; numbers and texts are neither.
    public init?(configValue: EntryValue) {
        guard case .boolean(let flag) = configValue else { return nil }
        self = flag
    }
}

extension Array: EntryValueConvertible where Element: EntryValueConvertible {
    /// `array in which each element is a string`, with what the elements are called.
    public static var configTypeName: String { "array in which each element is \(Element.configTypeName.withArticle)" }

    /// Reads an array whose elements can all be read.
    public init?(configValue: EntryValue) {
        let values: [EntryValue]
        switch configValue {
        case .strings(let elements): values = elements.map { .string($0) }
        case .integers(let elements): values = elements.map { .integer($0) }
        case .doubles(let elements): values = elements.map { .double($0) }
        case .booleans(let elements): values = elements.map { .boolean($0) }
        case .string, .integer, .double, .boolean: return nil
        }
        let elements = values.compactMap { Element(configValue: $0) }
        guard elements.count == values.count else { return nil }
        self = elements
    }
}
