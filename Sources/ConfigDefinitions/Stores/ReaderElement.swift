public import ConfigModel
internal import Configuration
public import Foundation

/// A type of which a configuration reader can give an array.
///
/// Beside the reader's own arrays, a text that is a JSON array is read, so that an element may contain a comma also where
/// the provider splits texts at commas, as that of environment variables does.
public protocol ReaderElement: ConfigStorable {
    /// What the reader's own array has as elements.
    associatedtype ReaderForm: Sendable

    /// The kind of the reader's own array.
    static var readerArrayKind: ReaderKind { get }

    /// The reader's own array.
    static func readArray(_ key: ReaderKey, from source: ReaderSource) -> [ReaderForm]?

    /// An element of the reader's own array as a value; `nil` if it is none.
    init?(readerForm: ReaderForm)
}

extension Array: ReaderValue where Element: ReaderElement {
    /// Reads an array, or a text that is a JSON array.
    public static func read(_ key: ReaderKey, from source: ReaderSource) throws(ConfigError) -> Override<[Element]> {
        if let text = source.reader.string(forKey: key.key), let json = try? JSONValue(text: text), case .array = json {
            return .value(try Self.configConverter.value(of: json))
        }
        guard let elements = Element.readArray(key, from: source) else { return .none }
        let values = elements.compactMap(Element.init(readerForm:))
        if values.count == elements.count { return .value(values) }
        throw ConfigError(.typeMismatch, "the elements are not all of this kind: \(readerTypeName)")
    }

    /// Read from an array or a text.
    public static var readerKinds: [ReaderKind] { [.string, Element.readerArrayKind] }
}

extension String: ReaderElement {
    /// The element itself.
    public init?(readerForm: String) { self = readerForm }
}

extension Int: ReaderElement {
    /// An array of whole numbers.
    public static var readerArrayKind: ReaderKind { .intArray }

    /// Reads an array of whole numbers.
    public static func readArray(_ key: ReaderKey, from source: ReaderSource) -> [Int]? {
        source.reader.intArray(forKey: key.key)
    }

    /// The element itself.
    public init?(readerForm: Int) { self = readerForm }
}

extension Double: ReaderElement {
    /// An array of numbers.
    public static var readerArrayKind: ReaderKind { .doubleArray }

    /// Reads an array of numbers; whole ones are numbers too.
    public static func readArray(_ key: ReaderKey, from source: ReaderSource) -> [Double]? {
        source.reader.doubleArray(forKey: key.key) ?? source.reader.intArray(forKey: key.key)?.map(Double.init)
    }

    /// The element itself.
    public init?(readerForm: Double) { self = readerForm }
}

extension Bool: ReaderElement {
    /// An array of Booleans.
    public static var readerArrayKind: ReaderKind { .boolArray }

    /// Reads an array of Booleans.
    public static func readArray(_ key: ReaderKey, from source: ReaderSource) -> [Bool]? {
        source.reader.boolArray(forKey: key.key)
    }

    /// The element itself.
    public init?(readerForm: Bool) { self = readerForm }
}

extension ReaderElement where ReaderForm == String {
    /// An array of texts.
    public static var readerArrayKind: ReaderKind { .stringArray }

    /// Reads an array of texts.
    public static func readArray(_ key: ReaderKey, from source: ReaderSource) -> [String]? {
        source.reader.stringArray(forKey: key.key)
    }
}

extension RGBColor: ReaderElement {
    /// Reads `#RRGGBB`, `RRGGBB` or `#RGB`.
    public init?(readerForm: String) { self.init(readerForm) }
}

extension SemanticVersion: ReaderElement {
    /// Reads a version such as `1.2.3`.
    public init?(readerForm: String) { self.init(readerForm) }
}

extension URL: ReaderElement {
    /// Reads an absolute URL.
    public init?(readerForm: String) { self.init(absolute: readerForm) }
}

extension Date: ReaderElement {
    /// Reads a moment in UTC by ISO 8601.
    public init?(readerForm: String) { self.init(iso8601: readerForm) }
}
