// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import Configuration

/// A kind of value that a configuration reader distinguishes.
enum ReaderKind: Hashable, Sendable, CaseIterable {
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
    /// Any value of JSON: a text or bytes of JSON, which a `RemoteConfigProvider` returns for objects and branches of keys, or
    /// the result of the closure `value` of the ``ObservedReader``.
    case json

    /// The kind of the arrays of such values.
    var array: ReaderKind? {
        switch self {
        case .string: .stringArray
        case .int: .intArray
        case .double: .doubleArray
        case .bool: .boolArray
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
        case .json:
            let reader = reader.asOfNow
            let text = JSONRequest.with(JSONRequest()) { reader.string(at: key) }
            if let text { return JSONRequest.values(of: text).first }
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
    /// A string, and not an object that a provider returns as a string of JSON: it then returns the same as bytes.
    fileprivate func text(at key: ConfigKey) -> String? {
        guard let text = string(at: key) else { return nil }
        guard text.utf8.first == UInt8(ascii: "{") || text.utf8.first == UInt8(ascii: "[") else { return text }
        let now = asOfNow
        guard let text = now.string(at: key) else { return nil }
        return now.bytes(at: key)?.elementsEqual(text.utf8) == true ? nil : text
    }
}
