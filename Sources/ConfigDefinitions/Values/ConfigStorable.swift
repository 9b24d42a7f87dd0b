// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import Essentials

/// A type that names how its values are stored, shown and edited.
///
/// Definitions and tweaks take every `Codable` type. One that conforms has more: a name for messages, a JSON Schema,
/// and an editor for tweaks. Enums with all their cases, and types that are written as a text, get that by conforming:
///
/// ```swift
/// enum Theme: String, CaseIterable, ConfigStorable { case light, dark }
/// struct Version: LosslessStringConvertible, Equatable, ConfigStorable {
///     var description: String
///     init?(_ text: String) { description = text }
///     static var configConverter: ValueConverter<Version> { .lossless(typeName: "version such as 1.2.3") }
/// }
/// ```
public protocol ConfigStorable: Codable, Equatable, Sendable {
    /// The converter for stored values.
    static var configConverter: ValueConverter<Self> { get }

    /// The editor where a tweak names none.
    static var tweakEditor: TweakEditor { get }
}

extension ConfigStorable {
    /// Stores the value as JSON, as `Codable` has it. Numbers of other widths, `URL`, `Date`, `Data`, `Duration` and versions have
    /// the forms that every way to read a value has for them.
    public static var configConverter: ValueConverter<Self> { .ofScalar ?? .codable() }
}

extension ConfigStorable where Self: RawRepresentable, RawValue: ConfigStorable {
    /// Stores the raw value.
    public static var configConverter: ValueConverter<Self> { .rawValue() }
}

extension ConfigStorable where Self: LosslessStringConvertible {
    /// Reads what ``configConverter`` stores.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do throws(ConfigError) {
            self = try Self.configConverter.value(of: .string(text))
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.message)
        }
    }

    /// Writes the description.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension ConfigStorable {
    /// The editor that fits the value: for a structure, a list of its fields; for `URL`, `Date`, `Data` and `Duration`, a text
    /// field.
    public static var tweakEditor: TweakEditor {
        ValueConverter<Self>.ofScalar?.form.isText == true ? .text : .automatic
    }
}

extension ConfigStorable where Self: LosslessStringConvertible {
    /// A text field.
    public static var tweakEditor: TweakEditor { .text }
}

extension ConfigStorable where Self: CaseIterable {
    /// A list of all cases.
    public static var tweakEditor: TweakEditor {
        .picker(allCases.map { TweakEditor.Option(String(describing: $0), $0) })
    }
}

extension ConfigStorable where Self: FixedWidthInteger {
    /// A field with buttons.
    public static var tweakEditor: TweakEditor { .stepper(range: nil, step: 1) }
}

extension ConfigStorable where Self: BinaryFloatingPoint & LosslessStringConvertible {
    /// A field with buttons.
    public static var tweakEditor: TweakEditor { .stepper(range: nil, step: 0.1) }
}

extension Bool: ConfigStorable {
    /// A switch.
    public static var tweakEditor: TweakEditor { .toggle }

    /// Stores `true` or `false`.
    public static var configConverter: ValueConverter<Bool> { .scalar }
}

extension String: ConfigStorable {
    /// Stores the text.
    public static var configConverter: ValueConverter<String> { .scalar }
}

extension Int: ConfigStorable {
    /// Stores a number without a fraction; `1.0` is read as well.
    public static var configConverter: ValueConverter<Int> { .scalar }
}

extension Int8: ConfigStorable {}
extension UInt8: ConfigStorable {}
extension Int16: ConfigStorable {}
extension UInt16: ConfigStorable {}
extension Int32: ConfigStorable {}
extension UInt32: ConfigStorable {}
extension Int64: ConfigStorable {}
extension UInt64: ConfigStorable {}
extension UInt: ConfigStorable {}

extension Double: ConfigStorable {
    /// Stores a number; those without a JSON form are the strings `inf`, `-inf` and `nan` in a store.
    public static var configConverter: ValueConverter<Double> { .scalar }
}

extension Float: ConfigStorable {}

extension Decimal: ConfigStorable {
    /// A field with buttons.
    public static var tweakEditor: TweakEditor { .stepper(range: nil, step: 0.1) }
}

extension Optional: ConfigStorable where Wrapped: ConfigStorable {
    /// A switch before the editor of the wrapped type.
    public static var tweakEditor: TweakEditor { .optional(Wrapped.tweakEditor) }

    /// Stores nil as `null`.
    public static var configConverter: ValueConverter<Wrapped?> { Wrapped.configConverter.optional }
}

extension Array: ConfigStorable where Element: ConfigStorable {
    /// A list of editors.
    public static var tweakEditor: TweakEditor { .array(Element.tweakEditor) }

    /// Stores a JSON array.
    public static var configConverter: ValueConverter<[Element]> { Element.configConverter.array }
}

extension RGBColor: ConfigStorable {
    /// A colour picker.
    public static var tweakEditor: TweakEditor { .color }

    /// Stores `#RRGGBB`.
    public static var configConverter: ValueConverter<RGBColor> { .scalar }
}

extension SemanticVersion: ConfigStorable {}
extension VersionRange: ConfigStorable {}

extension URL: ConfigStorable {}
extension Date: ConfigStorable {}
extension Data: ConfigStorable {}
extension Duration: ConfigStorable {}
