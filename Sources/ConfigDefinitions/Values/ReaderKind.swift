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
    /// A text that is a moment in UTC by ISO 8601.
    case moment
    /// An array of such texts.
    case momentArray
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
        case .moment: .momentArray
        case .json: .json
        default: nil
        }
    }

    /// The value of this kind that a reader has under a key, in the form in which it would be stored.
    func read(_ key: ConfigKey, from reader: some KindReading) -> EntryValue? {
        switch self {
        case .string: return reader.text(key).map(EntryValue.string)
        case .int: return reader.int(key).map(EntryValue.integer)
        case .double: return reader.double(key).map(EntryValue.double)
        case .bool: return reader.bool(key).map(EntryValue.boolean)
        case .stringArray: return reader.strings(key).map { .array($0.map(EntryValue.string)) }
        case .intArray: return reader.ints(key).map { .array($0.map(EntryValue.integer)) }
        case .doubleArray: return reader.doubles(key).map { .array($0.map(EntryValue.double)) }
        case .boolArray: return reader.bools(key).map { .array($0.map(EntryValue.boolean)) }
        case .moment: return reader.string(key).flatMap { Timestamp($0) == nil ? nil : .string($0) }
        case .momentArray:
            guard let texts = reader.strings(key), texts.allSatisfy({ Timestamp($0) != nil }) else {
                return nil
            }
            return .array(texts.map(EntryValue.string))
        case .json:
            let reader = reader.asOfNow
            let text = JSONRequest.with(JSONRequest()) { reader.string(key) }
            if let text { return JSONRequest.values(of: text).first }
            // Bytes that are no JSON are no value that a definition could have.
            return reader.bytes(key).flatMap { try? EntryValue(anyJSON: $0) }
        case .jsonArray:
            // A text that is no JSON is no array; another kind may read it.
            guard let json = reader.text(key).flatMap({ try? EntryValue(text: $0) }), case .array = json else {
                return nil
            }
            return json
        }
    }
}

/// The getters that a configuration reader and a snapshot of one have in common.
protocol KindReading {
    var asOfNow: ConfigSnapshotReader { get }
    func string(forKey key: ConfigKey, isSecret: Bool, fileID: String, line: UInt) -> String?
    func int(forKey key: ConfigKey, isSecret: Bool, fileID: String, line: UInt) -> Int?
    func double(forKey key: ConfigKey, isSecret: Bool, fileID: String, line: UInt) -> Double?
    func bool(forKey key: ConfigKey, isSecret: Bool, fileID: String, line: UInt) -> Bool?
    func bytes(forKey key: ConfigKey, isSecret: Bool, fileID: String, line: UInt) -> [UInt8]?
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
    func string(_ key: ConfigKey) -> String? { string(forKey: key, isSecret: false, fileID: #fileID, line: #line) }
    func int(_ key: ConfigKey) -> Int? { int(forKey: key, isSecret: false, fileID: #fileID, line: #line) }
    func double(_ key: ConfigKey) -> Double? { double(forKey: key, isSecret: false, fileID: #fileID, line: #line) }
    func bool(_ key: ConfigKey) -> Bool? { bool(forKey: key, isSecret: false, fileID: #fileID, line: #line) }
    func bytes(_ key: ConfigKey) -> [UInt8]? { bytes(forKey: key, isSecret: false, fileID: #fileID, line: #line) }
    func strings(_ key: ConfigKey) -> [String]? {
        stringArray(forKey: key, isSecret: false, fileID: #fileID, line: #line)
    }
    func ints(_ key: ConfigKey) -> [Int]? { intArray(forKey: key, isSecret: false, fileID: #fileID, line: #line) }
    func doubles(_ key: ConfigKey) -> [Double]? {
        doubleArray(forKey: key, isSecret: false, fileID: #fileID, line: #line)
    }
    func bools(_ key: ConfigKey) -> [Bool]? { boolArray(forKey: key, isSecret: false, fileID: #fileID, line: #line) }

    /// A string, and not an object that a provider returns as a string of JSON: it then returns the same as bytes.
    fileprivate func text(_ key: ConfigKey) -> String? {
        guard let text = string(key) else { return nil }
        guard text.utf8.first == UInt8(ascii: "{") || text.utf8.first == UInt8(ascii: "[") else { return text }
        let now = asOfNow
        guard let text = now.string(key) else { return nil }
        return now.bytes(key)?.elementsEqual(text.utf8) == true ? nil : text
    }
}
