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
