// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// Converts values of a type to their stored form, and back.
///
/// Converters are made from converters: ``optional``, ``array``, ``mapped(typeName:schema:to:from:)``.
///
/// ```swift
/// let seconds = Int.configConverter.mapped(typeName: "seconds") { Duration.seconds($0) } from: {
///     Int($0.components.seconds)
/// }
/// ```
public struct ValueConverter<Value: Sendable>: Sendable {
    /// The stored form and display of values, independent of their type.
    package private(set) var form: ValueForm
    private let encode: @Sendable (Value) -> EntryValue
    private var decode: @Sendable (EntryValue) -> Value?

    /// Creates a converter from two functions that are each other's inverse.
    ///
    /// - Parameters:
    ///   - typeName: what errors and editors call a value of the type, such as `seconds`.
    ///   - isText: whether values are stored as texts.
    ///   - schema: the JSON Schema that ``ConfigRepository/schemaDocument()`` writes for the type; without it, that of any
    ///     text, or of anything. It has to accept each stored form that is a value of the type.
    ///   - encode: returns the stored form of a value.
    ///   - decode: returns the value of a stored form, or `nil` if it is not one of the type.
    public init(
        typeName: String,
        isText: Bool = false,
        schema: EntryValue? = nil,
        encode: @escaping @Sendable (Value) -> EntryValue,
        decode: @escaping @Sendable (EntryValue) -> Value?
    ) {
        let shape = ValueShape(schema, or: ValueShape(isText: isText))
        self.init(typeName, isText: isText, shape: shape, encode: encode, decode: decode)
    }

    /// A converter of a known shape.
    ///
    /// - Parameters:
    ///   - kinds: the kinds of values of a configuration reader that are read as the type; texts or JSON by default.
    ///   - explain: returns the error in a stored form that is not a value of the type.
    init(
        _ typeName: String,
        isText: Bool = false,
        kinds: [ReaderKind]? = nil,
        _ content: ValueForm? = nil,
        shape: ValueShape,
        encode: @escaping @Sendable (Value) -> EntryValue,
        decode: @escaping @Sendable (EntryValue) -> Value?,
        explain: @escaping @Sendable (EntryValue) -> CodingFault? = { _ in nil }
    ) {
        let contents = [content].compactMap(\.self)
        form = ValueForm(
            typeName: typeName,
            isText: isText,
            kinds: kinds ?? (isText ? [.string] : [.json]),
            contents: contents,
            normalize: { decode($0).map(encode) },
            explain: explain,
            shape: shape
        )
        self.encode = encode
        self.decode = decode
    }

    /// The stored form of a value.
    public func json(of value: Value) -> EntryValue { encode(value) }

    /// The value of a stored form.
    ///
    /// - Throws: `typeMismatch`, with the expected form.
    public func value(of json: EntryValue) throws(ConfigError) -> Value {
        if let value = decode(json) { return value }
        throw form.mismatch(json)
    }

    /// A value as a person reads and edits it: a string as it is, anything else as JSON.
    public func text(of value: Value) -> String { form.text(of: encode(value)) }

    /// Reads what ``text(of:)`` writes.
    ///
    /// - Throws: `typeMismatch` or `syntax`, with the expected form.
    public func value(ofText text: String) throws(ConfigError) -> Value { try value(of: form.json(ofText: text)) }

    /// The value of a stored form; `nil` if it is not one of the type.
    func decoded(_ json: EntryValue) -> Value? { decode(json) }

    /// The override for the stored form under a key, or for no stored form.
    func override(_ json: EntryValue?, key: String) throws(ConfigError) -> Override<Value> {
        guard let json else { return .noOverride }
        if let value = decode(json) { return .value(value) }
        throw form.mismatch(json).naming(key: key)
    }
}

extension ValueConverter {
    /// The converter that the type names, also where only its use as a `Codable` type is known; `nil` if it names none.
    static var named: ValueConverter? {
        func converter<Storable: ConfigStorable>(of type: Storable.Type) -> Any { type.configConverter }
        return (Value.self as? any ConfigStorable.Type).flatMap { converter(of: $0) as? ValueConverter }
    }

    /// The converter of a type that is one scalar of JSON; `nil` for any other.
    static var ofScalar: ValueConverter? {
        func converter<Scalar: CodedScalar>(of type: Scalar.Type) -> Any { ValueConverter<Scalar>.scalar }
        return (Value.self as? any CodedScalar.Type).flatMap { converter(of: $0) as? ValueConverter }
    }
}

extension ValueConverter where Value: Codable {
    /// The converter that the type names, or else that of `Codable`.
    static var automatic: ValueConverter { named ?? .codable() }
}

extension ValueConverter where Value: CodedScalar {
    /// The converter of a type that is one scalar of JSON, from the type's only coding.
    package static var scalar: ValueConverter {
        let schema = SchemaKeywords(Value.configSchema)
        let kinds = schema.types.flatMap { type -> [ReaderKind] in
            switch type {
            case "boolean": [.bool]
            case "integer": [.int]
            case "number": [.double, .int]
            default: [.string]
            }
        }
        let isText = kinds.contains(.string)
        let shape = ValueShape(schema, hasOneSpelling: !isText || Value.self == String.self)
        return ValueConverter(Value.configTypeName, isText: isText, kinds: kinds, shape: shape) {
            $0.storedValue
        } decode: {
            Value(storedValue: $0)
        }
    }
}

extension ValueConverter {
    /// The converter of another type that is stored as this one is.
    ///
    /// - Parameters:
    ///   - typeName: what errors and editors call a value of the other type.
    ///   - schema: the JSON Schema of the other type, see ``init(typeName:isText:schema:encode:decode:)``; without it,
    ///     that of this one.
    ///   - to: returns the other value, or `nil` if there is none for this one.
    ///   - from: undoes it.
    public func mapped<Other>(
        typeName: String,
        schema: EntryValue? = nil,
        to: @escaping @Sendable (Value) -> Other?,
        from: @escaping @Sendable (Other) -> Value
    ) -> ValueConverter<Other> {
        mapped(typeName, shape: ValueShape(schema, or: form.shape.ofOtherType), to: to, from: from)
    }

    private func mapped<Other>(
        _ typeName: String,
        shape: ValueShape,
        to: @escaping @Sendable (Value) -> Other?,
        from: @escaping @Sendable (Other) -> Value
    ) -> ValueConverter<Other> {
        ValueConverter<Other>(typeName, isText: form.isText, kinds: form.kinds, shape: shape) { [encode] in
            encode(from($0))
        } decode: { [decode] in
            decode($0).flatMap(to)
        }
    }

    /// The converter of those values of the type with which nothing is wrong.
    ///
    /// - Parameter problem: returns the error for a value, as one sentence without a full stop.
    func filtered(_ problem: @escaping @Sendable (Value) -> String?) -> ValueConverter {
        var filtered = self
        let decodeFiltered = { @Sendable [decode] json in decode(json).flatMap { problem($0) == nil ? $0 : nil } }
        filtered.decode = decodeFiltered
        filtered.form.normalize = { [encode] in decodeFiltered($0).map(encode) }
        filtered.form.exceededLimit = { [decode] in decode($0).flatMap(problem) }
        return filtered
    }

    /// The converter of values that may be nil, which is stored as `null`.
    public var optional: ValueConverter<Value?> {
        ValueConverter<Value?>(
            "optional \(form.typeName)",
            kinds: form.kinds,
            form,
            shape: form.shape.optional,
            encode: { [encode] in $0.map(encode) ?? .null },
            decode: { [decode] json in json == .null ? .some(nil) : decode(json).map(Optional.some) },
            explain: form.explain
        )
    }

    /// The converter of arrays, which are stored as JSON arrays.
    public var array: ValueConverter<[Value]> {
        let arrays = form.kinds.compactMap(\.array)
        let hasGetter = form.isText ? arrays == [.stringArray] : !arrays.isEmpty && form.normalize(.null) == nil
        // A text of JSON first, so that an element may have a comma also where the provider splits texts at commas, as that of
        // environment variables does.
        let kinds = [.jsonArray] + arrays + (hasGetter ? [] : [.json])
        return ValueConverter<[Value]>(
            "array of \(form.typeName)",
            kinds: kinds,
            form,
            shape: form.shape.array
        ) { [encode] in
            .array($0.map(encode))
        } decode: { [decode] json in
            guard case .array(let elements) = json else { return nil }
            var values: [Value] = []
            values.reserveCapacity(elements.count)
            for element in elements {
                guard let value = decode(element) else { return nil }
                values.append(value)
            }
            return values
        } explain: { [form] json in
            guard case .array(let elements) = json else { return nil }
            let isWrong = elements.firstIndex { form.normalized($0) == nil }
            return isWrong.flatMap { index in form.explain(elements[index])?.below(PartKey(index: index)) }
        }
    }

    /// The converter of a type that is stored as its raw value.
    ///
    /// The values of a type that lists all its cases are what its JSON Schema accepts.
    public static func rawValue(
        typeName: String = String(describing: Value.self)
    ) -> ValueConverter where Value: RawRepresentable, Value.RawValue: ConfigStorable {
        let raw = Value.RawValue.configConverter
        let shape = raw.form.shape.cases {
            // Computed when the schema is first read, since it is slow.
            (Value.self as? any CaseIterable.Type).flatMap { allCases(of: $0) }
        }
        return raw.mapped(typeName, shape: shape, to: { Value(rawValue: $0) }, from: { $0.rawValue })
    }

    /// The stored forms of all cases; `nil` if a remote configuration cannot have one of them.
    private static func allCases<Cases: CaseIterable>(of type: Cases.Type) -> [EntryValue]?
    where Value: RawRepresentable, Value.RawValue: ConfigStorable {
        let raw = Value.RawValue.configConverter
        let cases = type.allCases.compactMap { ($0 as? Value).flatMap { raw.entryValue(of: $0.rawValue) } }
        return cases.count == type.allCases.count ? cases : nil
    }

    /// The converter of a type that is stored as its description, which reads back as the same value.
    ///
    /// - Parameters:
    ///   - typeName: what errors and editors call a value of the type.
    ///   - schema: see ``init(typeName:isText:schema:encode:decode:)``.
    public static func lossless(
        typeName: String = String(describing: Value.self),
        schema: EntryValue? = nil
    ) -> ValueConverter where Value: LosslessStringConvertible {
        String.configConverter.mapped(typeName: typeName, schema: schema, to: { Value($0) }, from: { $0.description })
    }

    /// The converter of a type that is stored as `Codable` writes it to JSON.
    ///
    /// A `Date` in it is stored in UTC by RFC 3339, and `Data` as a text of Base64. A value that cannot be written, such as one
    /// that contains an infinite number, is stored as `null`. An error names the path of what does not fit.
    ///
    /// - Parameters:
    ///   - typeName: what errors and editors call a value of the type.
    ///   - schema: the JSON Schema of the type, which must accept everything that can be decoded. By default, it has the type
    ///     of the definition's default, such as `object`, and the types of some other values that can be decoded.
    public static func codable(
        typeName: String = String(describing: Value.self),
        schema: EntryValue? = nil
    ) -> ValueConverter where Value: Codable {
        let decode = { @Sendable (json: EntryValue) throws in try ValueDecoder(json).decode(Value.self) }
        // Whether it can be decoded is the question.
        let shape = ValueShape.decoded { (try? decode($0)) != nil }
        return ValueConverter(typeName, shape: ValueShape(schema, or: shape)) { value in
            // A value that cannot be encoded is `null`, as documented.
            (try? EntryValue(unlimited: value)) ?? .null
        } decode: { json in
            // `explain` reports the reason.
            try? decode(json)
        } explain: { json in
            do {
                _ = try decode(json)
                return nil
            } catch {
                return CodingFault(error)
            }
        }
    }
}

/// The result of a link in a definition's chain: a value, which may be nil, or nothing.
///
/// For an optional value, `.value(nil)` overrides with nil and ``noOverride`` leaves the decision to the links below.
package enum Override<Value> {
    /// The definition has this value.
    case value(Value)
    /// No override: the next link is evaluated.
    case noOverride

    /// An override with the value that is there, or none.
    package init(_ value: Value?) {
        self = value.map(Override.value) ?? .noOverride
    }
}

extension Override: Sendable where Value: Sendable {}
extension Override: Equatable where Value: Equatable {}
extension Override: Hashable where Value: Hashable {}
