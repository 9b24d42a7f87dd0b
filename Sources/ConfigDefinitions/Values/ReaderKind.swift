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
        func value<Found>(_ getter: (ConfigKey, Bool, String, UInt) -> Found?) -> Found? {
            getter(key, false, #fileID, #line)
        }
        switch self {
        case .string: return reader.text(at: key).map(EntryValue.string)
        case .int: return value(reader.int).map(EntryValue.integer)
        case .double: return value(reader.double).map(EntryValue.double)
        case .bool: return value(reader.bool).map(EntryValue.boolean)
        case .stringArray: return value(reader.stringArray).map { .array($0.map(EntryValue.string)) }
        case .intArray: return value(reader.intArray).map { .array($0.map(EntryValue.integer)) }
        case .doubleArray: return value(reader.doubleArray).map { .array($0.map(EntryValue.double)) }
        case .boolArray: return value(reader.boolArray).map { .array($0.map(EntryValue.boolean)) }
        case .json:
            let reader = reader.asOfNow
            let text = JSONRequest.with(JSONRequest()) { reader.string(forKey: key) }
            if let text { return JSONRequest.values(of: text).first }
            // Bytes that are no JSON are no value that a definition could have.
            return reader.bytes(forKey: key).flatMap { try? EntryValue(anyJSON: $0) }
        case .jsonArray: return reader.text(at: key).flatMap(Self.array)
        }
    }

    /// The array that a text of JSON is.
    static func array(_ text: String) -> EntryValue? {
        // A text that is not JSON is not an array either; another kind may read it.
        guard let json = try? EntryValue(text: text), case .array = json else { return nil }
        return json
    }
}

/// The getters that a configuration reader and a snapshot of one have in common.
protocol KindReading {
    var asOfNow: ConfigSnapshotReader { get }
    func string(forKey key: ConfigKey, isSecret: Bool, fileID: String, line: UInt) -> String?
    func int(forKey key: ConfigKey, isSecret: Bool, fileID: String, line: UInt) -> Int?
    func double(forKey key: ConfigKey, isSecret: Bool, fileID: String, line: UInt) -> Double?
    func bool(forKey key: ConfigKey, isSecret: Bool, fileID: String, line: UInt) -> Bool?
    func stringArray(forKey key: ConfigKey, isSecret: Bool, fileID: String, line: UInt) -> [String]?
    func intArray(forKey key: ConfigKey, isSecret: Bool, fileID: String, line: UInt) -> [Int]?
    func doubleArray(forKey key: ConfigKey, isSecret: Bool, fileID: String, line: UInt) -> [Double]?
    func boolArray(forKey key: ConfigKey, isSecret: Bool, fileID: String, line: UInt) -> [Bool]?
}

extension ConfigReader: KindReading {
    var asOfNow: ConfigSnapshotReader { snapshot() }
}

extension ConfigSnapshotReader: KindReading {
    var asOfNow: ConfigSnapshotReader { self }
}

extension KindReading {
    /// A string, and not the JSON that a `RemoteConfigProvider` returns for an object or an array.
    fileprivate func text(at key: ConfigKey) -> String? {
        JSONRequest.$wantsString.withValue(true) {
            string(forKey: key, isSecret: false, fileID: #fileID, line: #line)
        }
    }
}
