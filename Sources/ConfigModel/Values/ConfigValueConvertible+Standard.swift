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
