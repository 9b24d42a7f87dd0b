// SPDX-License-Identifier: Apache-2.0

/// Decodes a value as any `Decodable` type; errors have the path of the part that does not fit.
///
/// Foundation's decoder would have to parse text, and does not report what it found.
package struct ValueDecoder: Decoder {
    let value: EntryValue
    package let codingPath: [any CodingKey]
    package var userInfo: [CodingUserInfoKey: Any] { [:] }

    package init(_ value: EntryValue, at codingPath: [any CodingKey] = []) {
        (self.value, self.codingPath) = (value, codingPath)
    }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value else { throw mismatch(EntryObject.self, "an object") }
        return KeyedDecodingContainer(MemberReader(members: members, decoder: self))
    }

    package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw mismatch([EntryValue].self, "an array") }
        return ElementReader(elements: elements, decoder: self)
    }

    package func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension ValueDecoder: SingleValueDecodingContainer {
    package func decodeNil() -> Bool { value == .null }

    // It satisfies the requirements for all the scalar types as well.
    package func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard let scalar = type as? any CodedScalar.Type else { return try Value(from: self) }
        guard let read = scalar.read(value, as: type) else {
            throw mismatch(type, scalar.configTypeName.withArticle)
        }
        return read
    }

    /// The decoder of a part.
    fileprivate func decoder(of part: EntryValue, at key: any CodingKey) -> ValueDecoder {
        ValueDecoder(part, at: codingPath + [key])
    }

    private func mismatch<Wanted>(_ type: Wanted.Type, _ expectation: String) -> DecodingError {
        let message = "expected \(expectation), found \(found(expecting: type))"
        let context = DecodingError.Context(codingPath: codingPath, debugDescription: message)
        return value == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    /// The value if it has the expected type, else its type.
    private func found<Wanted>(expecting type: Wanted.Type) -> String {
        switch value {
        case .null: "null"
        case .string(let text): "\"\(text.excerpt(ofScalars: 40))\""
        case .integer, .double: type is any Numeric.Type ? value.canonicalJSON : "a number"
        case .boolean, .array, .object: value.kindName.withArticle
        }
    }
}

/// The members of an object.
private struct MemberReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: EntryObject
    let decoder: ValueDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { members.compactMap { Key(stringValue: $0.key) } }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try member(key).decodeNil() }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try member(key).decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try member(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try member(key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { superDecoder(at: PartKey.superclass) }

    func superDecoder(forKey key: Key) -> any Decoder { superDecoder(at: key) }

    private func superDecoder(at key: any CodingKey) -> any Decoder {
        decoder.decoder(of: members[key.stringValue] ?? .null, at: key)
    }

    private func member(_ key: Key) throws -> ValueDecoder {
        guard let member = members[key.stringValue] else {
            let context = DecodingError.Context(codingPath: codingPath, debugDescription: "missing member")
            throw DecodingError.keyNotFound(key, context)
        }
        return decoder.decoder(of: member, at: key)
    }
}

/// The elements of an array, one after the other.
private struct ElementReader: UnkeyedDecodingContainer {
    let elements: [EntryValue]
    let decoder: ValueDecoder
    private(set) var currentIndex = 0
    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    init(elements: [EntryValue], decoder: ValueDecoder) { (self.elements, self.decoder) = (elements, decoder) }

    mutating func decodeNil() -> Bool {
        guard !isAtEnd, elements[currentIndex] == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next { try $0.decode(type) } }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try next { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try next { $0 } }

    /// Reads the next element, which stays the next one if it cannot be read.
    private mutating func next<Part>(_ read: (ValueDecoder) throws -> Part) throws -> Part {
        let key = PartKey(index: currentIndex)
        guard !isAtEnd else {
            let message = "expected more than \(elements.count) elements"
            let context = DecodingError.Context(codingPath: codingPath, debugDescription: message)
            throw DecodingError.valueNotFound(Part.self, context)
        }
        let part = try read(decoder.decoder(of: elements[currentIndex], at: key))
        currentIndex += 1
        return part
    }
}
