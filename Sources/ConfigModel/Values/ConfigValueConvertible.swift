/// A type that a configuration value can be read as.
///
/// Conform your own types to read them with ``ConfigSnapshot/value(forKey:as:)``:
///
/// ```swift
/// enum Theme: String, ConfigValueConvertible {
///     case light, dark
///     static let configTypeName = "theme (light or dark)"
///     init?(configValue: ConfigValue) {
///         guard case .string(let name) = configValue else { return nil }
///         self.init(rawValue: name)
///     }
/// }
/// ```
public protocol ConfigValueConvertible {
    /// What a value of this type is called in an error message, with an example of its form where one helps.
    static var configTypeName: String { get }

    /// Reads the value; `nil` if it has another form.
    init?(configValue: ConfigValue)
}

extension ConfigValueConvertible where Self: LosslessStringConvertible {
    /// Reads a string by the type's own form of text.
    public init?(configValue: ConfigValue) {
        guard case .string(let text) = configValue else { return nil }
        self.init(text)
    }
}

extension String: ConfigValueConvertible {
    /// `string`.
    public static var configTypeName: String { "string" }
}

extension RGBColor: ConfigValueConvertible {
    /// `colour such as #FFB6C1`.
    public static var configTypeName: String { "colour such as #FFB6C1" }
}

extension Int: ConfigValueConvertible {
    /// `integer`.
    public static var configTypeName: String { "integer" }

    /// Reads an integer; no other number is rounded to one.
    public init?(configValue: ConfigValue) {
        guard case .integer(let number) = configValue else { return nil }
        self = number
    }
}

extension Double: ConfigValueConvertible {
    /// `number`.
    public static var configTypeName: String { "number" }

    /// Reads any number.
    public init?(configValue: ConfigValue) {
        switch configValue {
        case .double(let number): self = number
        case .integer(let number): self = Double(number)
        default: return nil
        }
    }
}

extension Bool: ConfigValueConvertible {
    /// `Boolean`.
    public static var configTypeName: String { "Boolean" }

    /// Reads `true` or `false`; numbers and texts are neither.
    public init?(configValue: ConfigValue) {
        guard case .boolean(let flag) = configValue else { return nil }
        self = flag
    }
}
