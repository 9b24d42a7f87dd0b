// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import Essentials

/// A type that names how its values are stored, shown and edited.
///
/// Definitions and tweaks take every `Codable` type. One that conforms says more: how it is called in messages, what its JSON
/// Schema is, and which editor a tweak has. Enums with all their cases, and types that are written as a text, get that by
/// conforming:
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
    /// Stores the value as JSON, as `Codable` has it.
    public static var configConverter: ValueConverter<Self> { .codable() }
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
    /// The editor that fits the value: for a structure, a list of its fields.
    public static var tweakEditor: TweakEditor { .automatic }
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

extension Bool: ConfigStorable {
    /// A switch.
    public static var tweakEditor: TweakEditor { .toggle }

    /// Stores `true` or `false`.
    public static var configConverter: ValueConverter<Bool> {
        ValueConverter("Boolean", kinds: [.bool], shape: .boolean, encode: EntryValue.boolean) { json in
            if case .boolean(let flag) = json { flag } else { nil }
        }
    }
}

extension Int: ConfigStorable {
    /// A field with buttons.
    public static var tweakEditor: TweakEditor { .stepper(range: nil, step: 1) }

    /// Stores a number without a fraction; `1.0` is read as well.
    public static var configConverter: ValueConverter<Int> {
        ValueConverter("integer", kinds: [.int], shape: .integer, encode: EntryValue.integer) { json in
            switch json {
            case .integer(let number): number
            case .double(let number): Int(exactly: number)
            default: nil
            }
        }
    }
}

extension Double: ConfigStorable {
    /// A field with buttons.
    public static var tweakEditor: TweakEditor { .stepper(range: nil, step: 0.1) }

    /// Stores a number; numbers without a JSON form are the strings `inf`, `-inf` and `nan`.
    public static var configConverter: ValueConverter<Double> {
        ValueConverter("number", kinds: [.double, .int], shape: .number) { number in
            number.isFinite ? .double(number) : .string(number.isNaN ? "nan" : number > 0 ? "inf" : "-inf")
        } decode: { json in
            switch json {
            case .integer(let number): Double(number)
            case .double(let number): number
            case .string("inf"): .infinity
            case .string("-inf"): -.infinity
            case .string("nan"): .nan
            default: nil
            }
        }
    }
}

extension String: ConfigStorable {
    /// Stores the text.
    public static var configConverter: ValueConverter<String> {
        ValueConverter("text", isText: true, shape: .text, encode: EntryValue.string) { json in
            if case .string(let text) = json { text } else { nil }
        }
    }
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
    public static var configConverter: ValueConverter<RGBColor> {
        .lossless(typeName: configTypeName, schema: ["type": "string", "format": "color"])
    }
}

extension SemanticVersion: ConfigStorable {
    /// Stores the version as its text.
    public static var configConverter: ValueConverter<SemanticVersion> {
        .lossless(typeName: configTypeName, schema: ["type": "string", "format": "semver"])
    }
}

extension URL: ConfigStorable {
    /// A text field.
    public static var tweakEditor: TweakEditor { .text }

    /// Stores an absolute URL as its text; anything else is no URL.
    public static var configConverter: ValueConverter<URL> {
        let schema: EntryValue = ["type": "string", "format": "uri"]
        return String.configConverter.mapped(typeName: configTypeName, schema: schema) { text in
            URL(configValue: .string(text))
        } from: {
            $0.absoluteString
        }
    }
}

extension Date: ConfigStorable {
    /// A text field.
    public static var tweakEditor: TweakEditor { .text }

    /// Stores the moment in UTC by ISO 8601, such as `2026-11-21T08:30:00.000Z`.
    ///
    /// A moment that this cannot say exactly, because it is finer than a millisecond or outside the years 0–9999, is stored
    /// as the number of seconds since the start of 2001, which may be infinite.
    public static var configConverter: ValueConverter<Date> {
        ValueConverter("date and time such as 2026-11-21T08:30:00Z", isText: true, kinds: [.moment], shape: .moment) {
            date in
            let milliseconds = Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded())
            let text = milliseconds.map { Timestamp(milliseconds: $0).description }
            if let text, Date(iso8601: text) == date { return .string(text) }
            return Double.configConverter.json(of: date.timeIntervalSinceReferenceDate)
        } decode: { json in
            switch json {
            case .string(let text):
                Date(iso8601: text) ?? Double(text).map(Date.init(timeIntervalSinceReferenceDate:))
            case .integer(let seconds): Date(timeIntervalSinceReferenceDate: Double(seconds))
            case .double(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
            default: nil
            }
        }
    }

    fileprivate init?(iso8601 text: String) {
        guard let moment = Timestamp(text) else { return nil }
        self.init(timeIntervalSince1970: Double(moment.milliseconds) / 1000)
    }
}

extension ValueShape {
    fileprivate static var boolean: ValueShape { ValueShape(["type": "boolean"], hasOneSpelling: true) }

    /// Beyond this range, a number of the remote configuration is no exact integer.
    fileprivate static var integer: ValueShape {
        let most = EntryValue.maximumInteger
        return ValueShape(
            ["type": "integer", "minimum": .integer(-most), "maximum": .integer(most)],
            hasOneSpelling: true
        )
    }

    fileprivate static var number: ValueShape { ValueShape(["type": "number"], hasOneSpelling: true) }
    fileprivate static var text: ValueShape { ValueShape(["type": "string"], hasOneSpelling: true) }

    /// A date and time in UTC, to the millisecond, without leap seconds.
    fileprivate static var moment: ValueShape {
        let pattern: EntryValue = #"T[0-9:]{6}[0-5][0-9](\.[0-9]{1,3})?Z$"#
        return ValueShape(["type": "string", "format": "date-time", "pattern": pattern])
    }
}
