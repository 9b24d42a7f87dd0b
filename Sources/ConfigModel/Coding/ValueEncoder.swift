// SPDX-License-Identifier: Apache-2.0

/// Writes a value of any `Encodable` type as a value of JSON.
struct ValueEncoder: Encoder {
    fileprivate let part: EncodedPart
    /// Whether integers are those of JSON, and not all that Swift has.
    fileprivate let isLimited: Bool
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    fileprivate init(_ part: EncodedPart, at codingPath: [any CodingKey], isLimited: Bool) {
        (self.part, self.codingPath, self.isLimited) = (part, codingPath, isLimited)
    }

    /// Writes a value, of any size and depth.
    ///
    /// - Throws: `EncodingError`, or the error of the type's own code.
    static func value(of value: some Encodable, isLimited: Bool = true) throws -> EntryValue {
        let part = EncodedPart()
        try ValueEncoder(part, at: [], isLimited: isLimited).encode(value)
        guard let encoded = part.value else {
            let context = EncodingError.Context(codingPath: [], debugDescription: "the type encoded no value")
            throw EncodingError.invalidValue(value, context)
        }
        return encoded
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        part.becomeObject()
        return KeyedEncodingContainer(MemberWriter(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        part.becomeArray()
        return ElementWriter(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension ValueEncoder: SingleValueEncodingContainer {
    func encodeNil() { part.content = .value(.null) }

    // It satisfies the requirements for all the scalar types as well.
    func encode<Value: Encodable>(_ value: Value) throws {
        if let scalar = value as? any CodedScalar {
            guard let encoded = scalar.entryValue ?? (isLimited ? nil : Self.integer(scalar)) else {
                let context = EncodingError.Context(codingPath: codingPath, debugDescription: type(of: scalar).rule)
                throw EncodingError.invalidValue(value, context)
            }
            part.content = .value(encoded)
        } else {
            try value.encode(to: self)
        }
    }

    private static func integer(_ scalar: any CodedScalar) -> EntryValue? {
        (scalar as? any BinaryInteger).flatMap { Int(exactly: $0) }.map(EntryValue.integer)
    }

    fileprivate func encoder(ofMember key: any CodingKey) -> ValueEncoder {
        ValueEncoder(part.newMember(key.stringValue), at: codingPath + [key], isLimited: isLimited)
    }

    /// The encoder of a member that may be there, to which more is added.
    fileprivate func encoder(ofNested key: any CodingKey) -> ValueEncoder {
        guard let known = part.member(key.stringValue) else { return encoder(ofMember: key) }
        return ValueEncoder(known, at: codingPath + [key], isLimited: isLimited)
    }

    fileprivate func encoderOfNextElement() -> ValueEncoder {
        ValueEncoder(part.nextElement(), at: codingPath + [PartKey(index: part.count - 1)], isLimited: isLimited)
    }
}

/// A part of the encoded value, shared by its containers.
private final class EncodedPart {
    enum Content {
        case nothing
        case value(EntryValue)
        case array([EncodedPart])
        case object([(name: String, part: EncodedPart)])
    }

    var content = Content.nothing

    var count: Int { if case .array(let elements) = content { elements.count } else { 0 } }

    /// The encoded value; `nil` if nothing has been encoded.
    var value: EntryValue? {
        switch content {
        case .nothing: nil
        case .value(let value): value
        // A part for which a type writes nothing is there, as with Foundation's encoder.
        case .array(let elements): .array(elements.map { $0.value ?? .object(EntryObject()) })
        case .object(let members):
            .object(EntryObject(members.map { (key: $0.name, value: $0.part.value ?? .object(EntryObject())) }))
        }
    }

    func becomeObject() { if case .object = content {} else { content = .object([]) } }

    func becomeArray() { if case .array = content {} else { content = .array([]) } }

    func member(_ name: String) -> EncodedPart? {
        if case .object(let members) = content { members.last { $0.name.hasSameScalars(as: name) }?.part } else { nil }
    }

    /// Of members of one name the last one counts.
    func newMember(_ name: String) -> EncodedPart {
        let part = EncodedPart()
        if case .object(var members) = content {
            content = .nothing
            members.append((name, part))
            content = .object(members)
        }
        return part
    }

    func nextElement() -> EncodedPart {
        let part = EncodedPart()
        if case .array(var elements) = content {
            content = .nothing
            elements.append(part)
            content = .array(elements)
        }
        return part
    }
}

/// The members of an object.
private struct MemberWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) { encoder.encoder(ofMember: key).encodeNil() }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try encoder.encoder(ofMember: key).encode(value)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        encoder.encoder(ofNested: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.encoder(ofNested: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.encoder(ofMember: PartKey.superclass) }

    func superEncoder(forKey key: Key) -> any Encoder { encoder.encoder(ofMember: key) }
}

/// The elements of an array, one after the other.
private struct ElementWriter: UnkeyedEncodingContainer {
    let encoder: ValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.part.count }

    func encodeNil() { encoder.encoderOfNextElement().encodeNil() }

    func encode<Value: Encodable>(_ value: Value) throws { try encoder.encoderOfNextElement().encode(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        encoder.encoderOfNextElement().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.encoderOfNextElement().unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder.encoderOfNextElement() }
}
