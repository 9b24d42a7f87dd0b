// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import Configuration
public import Essentials

/// A type whose values a configuration reader can give: what ``ConfigDefinition/remote(_:in:)`` is restricted to.
///
/// What the reader gives is read as a stored value is, by ``ConfigStorable/configConverter``. A type that is written as a text,
/// and a raw-value enum, conform by saying so:
///
/// ```swift
/// struct Version: LosslessStringConvertible, Equatable, ReaderValue {
///     var description: String
///     init?(_ text: String) { description = text }
///     static var configConverter: ValueConverter<Version> { .lossless(typeName: "version such as 1.2.3") }
/// }
/// ```
///
/// Any other `Codable` type says that it is read from JSON:
///
/// ```swift
/// struct MenuItem: Codable, Equatable, ReaderValue {
///     var title: String
///     static var readerKinds: [ReaderKind] { [.json] }
/// }
/// let menu = ConfigDefinition("app.menu", default: [MenuItem]()).remote("app.menu")
/// ```
public protocol ReaderValue: ConfigStorable {
    /// The kinds of value that it is read from, which are asked for in this order, and watched.
    static var readerKinds: [ReaderKind] { get }
}

extension ReaderValue {
    /// A text.
    public static var readerKinds: [ReaderKind] { [.string] }
}

extension ReaderValue where Self: RawRepresentable, RawValue: ReaderValue {
    /// What the raw value is read from.
    public static var readerKinds: [ReaderKind] { RawValue.readerKinds }
}

extension String: ReaderValue {}

extension RGBColor: ReaderValue {}

extension SemanticVersion: ReaderValue {}

extension URL: ReaderValue {}

extension Date: ReaderValue {
    /// A text by ISO 8601, and no number of seconds.
    public static var readerKinds: [ReaderKind] { [.moment] }
}

extension Int: ReaderValue {
    /// A whole number.
    public static var readerKinds: [ReaderKind] { [.int] }
}

extension Double: ReaderValue {
    /// A number, whole or not.
    public static var readerKinds: [ReaderKind] { [.double, .int] }
}

extension Bool: ReaderValue {
    /// A Boolean.
    public static var readerKinds: [ReaderKind] { [.bool] }
}

extension Optional: ReaderValue where Wrapped: ReaderValue {
    /// What the wrapped value is read from. A key that is absent overrides nothing, also not with nil, which a reader has no
    /// way to say.
    public static var readerKinds: [ReaderKind] { Wrapped.readerKinds }
}

extension Array: ReaderValue where Element: ReaderValue {
    /// A text that is a JSON array, so that an element may have a comma also where the provider splits texts at commas, as
    /// that of environment variables does; else the arrays of what an element is read from.
    public static var readerKinds: [ReaderKind] { [.jsonArray] + Element.readerKinds.compactMap(\.array) }
}

/// A kind of value that a configuration reader distinguishes.
public enum ReaderKind: Hashable, Sendable, CaseIterable {
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
    /// A text that is a JSON array.
    case jsonArray
    /// A text that is a moment in UTC by ISO 8601.
    case moment
    /// An array of such texts.
    case momentArray
    /// Any value of JSON: a text or bytes of JSON, which a `RemoteConfigProvider` returns for objects and branches of keys, or
    /// the result of the closure `value` of the ``ReaderSource``.
    case json

    /// The kind of the arrays of such values.
    fileprivate var array: ReaderKind? {
        switch self {
        case .string: .stringArray
        case .int: .intArray
        case .double: .doubleArray
        case .bool: .boolArray
        case .moment: .momentArray
        case .json: .json
        default: nil
        }
    }

    /// The value of this kind that a reader has under a key, in the form in which it would be stored.
    func read(_ key: ConfigKey, from reader: some KindReading) -> EntryValue? {
        switch self {
        case .string: return reader.text(at: key).map(EntryValue.string)
        case .int: return reader.int(at: key).map(EntryValue.integer)
        case .double: return reader.double(at: key).map(EntryValue.double)
        case .bool: return reader.bool(at: key).map(EntryValue.boolean)
        case .stringArray: return reader.strings(at: key).map { .array($0.map(EntryValue.string)) }
        case .intArray: return reader.ints(at: key).map { .array($0.map(EntryValue.integer)) }
        case .doubleArray: return reader.doubles(at: key).map { .array($0.map(EntryValue.double)) }
        case .boolArray: return reader.bools(at: key).map { .array($0.map(EntryValue.boolean)) }
        case .moment: return reader.string(at: key).flatMap { Timestamp($0) == nil ? nil : .string($0) }
        case .momentArray:
            guard let texts = reader.strings(at: key), texts.allSatisfy({ Timestamp($0) != nil }) else {
                return nil
            }
            return .array(texts.map(EntryValue.string))
        case .json:
            let reader = reader.asOfNow
            let text = BranchReading.$isWanted.withValue(true) { reader.string(at: key) }
            // A text that is no JSON is a string.
            if let text { return (try? EntryValue(text: text)) ?? .string(text) }
            // Bytes that are no JSON are no value that a definition could have.
            return reader.bytes(at: key).flatMap { try? EntryValue(anyJSON: $0) }
        case .jsonArray:
            // A text that is no JSON is no array; another kind may read it.
            guard let json = reader.text(at: key).flatMap({ try? EntryValue(text: $0) }), case .array = json else {
                return nil
            }
            return json
        }
    }
}

/// The getters that a configuration reader and a snapshot of one have in common.
protocol KindReading {
    var asOfNow: ConfigSnapshotReader { get }
    func string(at key: ConfigKey) -> String?
    func int(at key: ConfigKey) -> Int?
    func double(at key: ConfigKey) -> Double?
    func bool(at key: ConfigKey) -> Bool?
    func bytes(at key: ConfigKey) -> [UInt8]?
    func strings(at key: ConfigKey) -> [String]?
    func ints(at key: ConfigKey) -> [Int]?
    func doubles(at key: ConfigKey) -> [Double]?
    func bools(at key: ConfigKey) -> [Bool]?
}

extension ConfigReader: KindReading {
    var asOfNow: ConfigSnapshotReader { snapshot() }
    func string(at key: ConfigKey) -> String? { string(forKey: key) }
    func int(at key: ConfigKey) -> Int? { int(forKey: key) }
    func double(at key: ConfigKey) -> Double? { double(forKey: key) }
    func bool(at key: ConfigKey) -> Bool? { bool(forKey: key) }
    func bytes(at key: ConfigKey) -> [UInt8]? { bytes(forKey: key) }
    func strings(at key: ConfigKey) -> [String]? { stringArray(forKey: key) }
    func ints(at key: ConfigKey) -> [Int]? { intArray(forKey: key) }
    func doubles(at key: ConfigKey) -> [Double]? { doubleArray(forKey: key) }
    func bools(at key: ConfigKey) -> [Bool]? { boolArray(forKey: key) }
}

extension ConfigSnapshotReader: KindReading {
    var asOfNow: ConfigSnapshotReader { self }
    func string(at key: ConfigKey) -> String? { string(forKey: key) }
    func int(at key: ConfigKey) -> Int? { int(forKey: key) }
    func double(at key: ConfigKey) -> Double? { double(forKey: key) }
    func bool(at key: ConfigKey) -> Bool? { bool(forKey: key) }
    func bytes(at key: ConfigKey) -> [UInt8]? { bytes(forKey: key) }
    func strings(at key: ConfigKey) -> [String]? { stringArray(forKey: key) }
    func ints(at key: ConfigKey) -> [Int]? { intArray(forKey: key) }
    func doubles(at key: ConfigKey) -> [Double]? { doubleArray(forKey: key) }
    func bools(at key: ConfigKey) -> [Bool]? { boolArray(forKey: key) }
}

extension KindReading {
    /// A text, and no object, which a provider may give as a text of JSON: it gives the same as bytes then.
    fileprivate func text(at key: ConfigKey) -> String? {
        guard let text = string(at: key) else { return nil }
        guard text.utf8.first == UInt8(ascii: "{") || text.utf8.first == UInt8(ascii: "[") else { return text }
        let now = asOfNow
        guard let text = now.string(at: key) else { return nil }
        return now.bytes(at: key)?.elementsEqual(text.utf8) == true ? nil : text
    }
}
