public import ConfigModel
internal import Configuration

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
    /// - Throws: `typeMismatch` if there is a value that is none of this type.
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

    var key: Configuration.ConfigKey { Configuration.ConfigKey(components) }
}
