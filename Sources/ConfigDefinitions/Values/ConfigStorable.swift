/// A type whose values can be stored, edited as tweaks and shown.
///
/// Raw-value enums and `Codable` types conform by saying so:
///
/// ```swift
/// enum Theme: String, CaseIterable, ConfigStorable { case light, dark }
/// struct Margins: Codable, Equatable, ConfigStorable { var left = 0, right = 0 }
/// ```
///
/// Any other type says how:
///
/// ```swift
/// extension Version: ConfigStorable {
///     static var configConverter: ValueConverter<Version> { .lossless(typeName: "version such as 1.2.3") }
/// }
/// ```
public protocol ConfigStorable: Equatable, Sendable {
    /// How values are stored.
    static var configConverter: ValueConverter<Self> { get }
}

extension ConfigStorable where Self: RawRepresentable, RawValue: ConfigStorable {
    /// Stores the raw value.
    public static var configConverter: ValueConverter<Self> { .rawValue() }
}

extension ConfigStorable where Self: Codable {
    /// Stores the value as JSON, as `Codable` has it.
    public static var configConverter: ValueConverter<Self> { .codable() }
}

// A raw-value enum that is Codable as well meets both of the extensions above; this one decides.
extension ConfigStorable where Self: RawRepresentable & Codable, RawValue: ConfigStorable {
    /// Stores the raw value.
    public static var configConverter: ValueConverter<Self> { .rawValue() }
}
