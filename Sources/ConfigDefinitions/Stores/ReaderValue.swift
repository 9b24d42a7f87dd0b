public import ConfigModel
internal import Configuration
public import Foundation

/// A type whose values a configuration reader can give: what ``ConfigDefinition/remote(_:in:)`` is restricted to.
///
/// Raw-value enums conform by saying so. Any other type is read from a text or a number:
///
/// ```swift
/// extension Version: ReaderValue {
///     static func read(_ key: ReaderKey, from source: ReaderSource) throws(ConfigError) -> Override<Version> {
///         try source.read(key) { (text: String) in Version(text) } expecting: "version such as 1.2.3"
///     }
/// }
/// ```
public protocol ReaderValue: Equatable, Sendable {
    /// Reads the value of a key.
    ///
    /// - Throws: `typeMismatch` if there is a value that is not of this type.
    static func read(_ key: ReaderKey, from source: ReaderSource) throws(ConfigError) -> Override<Self>

    /// What a value is called in a message.
    static var readerTypeName: String { get }

    /// The kinds of value that it is read from, which are those to watch.
    static var readerKinds: [ReaderKind] { get }
}

extension ReaderValue {
    /// The type's own name.
    public static var readerTypeName: String { ValueDescription.typeName(of: Self.self) }

    /// Read from a text.
    public static var readerKinds: [ReaderKind] { [.string] }
}

/// A kind of value that a configuration reader distinguishes.
public enum ReaderKind: String, Hashable, Sendable, CaseIterable {
    /// A text.
    case string
    /// A whole number.
    case int
    /// A number.
    case double
    /// A Boolean.
    case bool
    /// An array of texts.
    case stringArray
    /// An array of whole numbers.
    case intArray
    /// An array of numbers.
    case doubleArray
    /// An array of Booleans.
    case boolArray

    /// The kind as a user reads it.
    var title: String {
        switch self {
        case .string: "text"
        case .int: "whole number"
        case .double: "number"
        case .bool: "Boolean"
        case .stringArray: "array of text"
        case .intArray: "array of whole numbers"
        case .doubleArray: "array of numbers"
        case .boolArray: "array of Booleans"
        }
    }
}

/// A dotted key, taken apart once instead of at each reading.
public struct ReaderKey: Hashable, Sendable {
    /// The key as it was written.
    public let text: String
    let components: [String]

    /// Takes a key apart at its dots.
    public init(_ text: String) {
        self.text = text
        components = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    var key: ConfigKey { ConfigKey(components) }
}

extension String: ReaderValue {
    /// Reads a text.
    public static func read(_ key: ReaderKey, from source: ReaderSource) -> Override<String> {
        Override(source.reader.string(forKey: key.key))
    }
}

extension Int: ReaderValue {
    /// Reads a whole number.
    public static func read(_ key: ReaderKey, from source: ReaderSource) -> Override<Int> {
        Override(source.reader.int(forKey: key.key))
    }

    /// Read from a whole number.
    public static var readerKinds: [ReaderKind] { [.int] }
}

extension Double: ReaderValue {
    /// Reads a number; a whole one is a number too.
    public static func read(_ key: ReaderKey, from source: ReaderSource) -> Override<Double> {
        Override(source.reader.double(forKey: key.key) ?? source.reader.int(forKey: key.key).map(Double.init))
    }

    /// Read from a number, whole or not.
    public static var readerKinds: [ReaderKind] { [.double, .int] }
}

extension Bool: ReaderValue {
    /// Reads a Boolean.
    public static func read(_ key: ReaderKey, from source: ReaderSource) -> Override<Bool> {
        Override(source.reader.bool(forKey: key.key))
    }

    /// Read from a Boolean.
    public static var readerKinds: [ReaderKind] { [.bool] }
}

extension RGBColor: ReaderValue {}

extension SemanticVersion: ReaderValue {}

extension URL: ReaderValue {}

extension Date: ReaderValue {}

extension ReaderValue where Self: ReaderElement, ReaderForm == String {
    /// Reads a text, such as `#FFB6C1`, `1.2.3`, an absolute URL, or a moment in UTC by ISO 8601.
    public static func read(_ key: ReaderKey, from source: ReaderSource) throws(ConfigError) -> Override<Self> {
        try source.read(key, { Self(readerForm: $0) }, expecting: readerTypeName)
    }
}

extension ReaderValue where Self: RawRepresentable, RawValue: ReaderValue {
    /// Reads the raw value.
    public static func read(_ key: ReaderKey, from source: ReaderSource) throws(ConfigError) -> Override<Self> {
        guard case .value(let raw) = try RawValue.read(key, from: source) else { return .none }
        if let value = Self(rawValue: raw) { return .value(value) }
        throw ConfigError(.typeMismatch, "\(ValueDescription.text(of: raw)) is no \(readerTypeName)")
    }

    /// Read from what the raw value is read from.
    public static var readerKinds: [ReaderKind] { RawValue.readerKinds }
}

extension Optional: ReaderValue where Wrapped: ReaderValue {
    /// Reads a value. A key that is absent overrides nothing, also not with nil, which a reader has no way to say.
    public static func read(
        _ key: ReaderKey,
        from source: ReaderSource
    ) throws(ConfigError) -> Override<Wrapped?> {
        try Wrapped.read(key, from: source).map(Optional.some)
    }

    /// Read from what the wrapped value is read from.
    public static var readerKinds: [ReaderKind] { Wrapped.readerKinds }
}
