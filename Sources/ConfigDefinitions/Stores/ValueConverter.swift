public import ConfigModel
internal import Foundation

/// Turns values of a type into what is stored, and back.
///
/// Converters are made from converters: ``optional``, ``array``, ``mapped(typeName:to:from:)``.
///
/// ```swift
/// let seconds = ValueConverter<Int>.integer.mapped(typeName: "seconds") { Duration.seconds($0) } from: {
///     Int($0.components.seconds)
/// }
/// ```
public struct ValueConverter<Value: Sendable>: Sendable {
    /// How values are stored and shown, without their type.
    public let form: ValueForm
    private let makeJSON: @Sendable (Value) -> JSONValue
    private let makeValue: @Sendable (JSONValue) -> Value?

    /// Creates a converter from two functions, each of which undoes what the other does.
    ///
    /// - Parameters:
    ///   - typeName: what a value is called in a message, such as `whole number`.
    ///   - isText: whether every value is stored as a string, so that an editor shows it without quotation marks.
    ///   - encode: gives the stored form of a value.
    ///   - decode: gives the value of a stored form, or `nil` if there is none.
    public init(
        typeName: String,
        isText: Bool = false,
        encode: @escaping @Sendable (Value) -> JSONValue,
        decode: @escaping @Sendable (JSONValue) -> Value?
    ) {
        self.init(
            form: ValueForm(typeName: typeName, isText: isText, content: nil) { decode($0).map(encode) },
            encode: encode,
            decode: decode
        )
    }

    init(
        form: ValueForm,
        encode: @escaping @Sendable (Value) -> JSONValue,
        decode: @escaping @Sendable (JSONValue) -> Value?
    ) {
        self.form = form
        makeJSON = encode
        makeValue = decode
    }

    /// The stored form of a value.
    public func json(of value: Value) -> JSONValue { makeJSON(value) }

    /// The value of a stored form.
    ///
    /// - Throws: `typeMismatch`, saying what was expected.
    public func value(of json: JSONValue) throws(ConfigError) -> Value {
        if let value = makeValue(json) { return value }
        throw form.mismatch(json)
    }

    /// A value as a person reads and edits it: a string as it is, anything else as JSON.
    public func text(of value: Value) -> String { form.text(of: makeJSON(value)) }

    /// Reads what ``text(of:)`` writes.
    ///
    /// - Throws: `typeMismatch` or `syntax`, saying what was expected.
    public func value(ofText text: String) throws(ConfigError) -> Value { try value(of: form.json(ofText: text)) }
}

extension ValueConverter {
    /// The converter of another type that is stored as this one is.
    ///
    /// - Parameters:
    ///   - typeName: what a value of the other type is called in a message.
    ///   - to: gives the other value, or `nil` if there is none for this one.
    ///   - from: undoes it.
    public func mapped<Other>(
        typeName: String,
        to: @escaping @Sendable (Value) -> Other?,
        from: @escaping @Sendable (Other) -> Value
    ) -> ValueConverter<Other> {
        let (encode, decode) = (makeJSON, makeValue)
        return ValueConverter<Other>(typeName: typeName, isText: form.isText) {
            encode(from($0))
        } decode: {
            decode($0).flatMap(to)
        }
    }

    /// The converter of values that may be nil, which is stored as `null`.
    public var optional: ValueConverter<Value?> {
        let (encode, decode) = (makeJSON, makeValue)
        let wrapped = form
        return ValueConverter<Value?>(
            form: ValueForm(typeName: "optional \(form.typeName)", isText: false, content: form) { json in
                json == .null ? .null : wrapped.normalized(json)
            },
            encode: { $0.map(encode) ?? .null },
            decode: { json in json == .null ? .some(nil) : decode(json).map(Optional.some) }
        )
    }

    /// The converter of arrays, which are stored as JSON arrays, whatever their elements contain.
    public var array: ValueConverter<[Value]> {
        let (encode, decode) = (makeJSON, makeValue)
        let element = form
        return ValueConverter<[Value]>(
            form: ValueForm(typeName: "array of \(form.typeName)", isText: false, content: form) { json in
                Self.every(json, element.normalized).map(JSONValue.array)
            },
            encode: { .array($0.map(encode)) },
            decode: { Self.every($0, decode) }
        )
    }

    private static func every<Result>(_ json: JSONValue, _ convert: (JSONValue) -> Result?) -> [Result]? {
        guard case .array(let elements) = json else { return nil }
        var results: [Result] = []
        results.reserveCapacity(elements.count)
        for element in elements {
            guard let result = convert(element) else { return nil }
            results.append(result)
        }
        return results
    }
}

extension ValueConverter {
    /// The converter of a type that is stored as its raw value.
    ///
    /// - Parameter typeName: what a value is called in a message; without it, the type's own name.
    public static func rawValue(
        typeName: String = String(describing: Value.self)
    ) -> ValueConverter where Value: RawRepresentable, Value.RawValue: ConfigStorable {
        Value.RawValue.configConverter.mapped(typeName: typeName) {
            Value(rawValue: $0)
        } from: {
            $0.rawValue
        }
    }

    /// The converter of a type that is stored as its description, which reads back as the same value.
    ///
    /// - Parameter typeName: what a value is called in a message; without it, the type's own name.
    public static func lossless(
        typeName: String = String(describing: Value.self)
    ) -> ValueConverter where Value: LosslessStringConvertible {
        ValueConverter(typeName: typeName, isText: true) {
            .string($0.description)
        } decode: { json in
            guard case .string(let text) = json else { return nil }
            return Value(text)
        }
    }

    /// The converter of a type that is stored as `Codable` writes it to JSON.
    ///
    /// A value that cannot be written, such as one that holds an infinite number, is stored as `null`.
    ///
    /// - Parameter typeName: what a value is called in a message; without it, the type's own name.
    public static func codable(
        typeName: String = String(describing: Value.self)
    ) -> ValueConverter where Value: Codable {
        ValueConverter(typeName: typeName) { value in
            guard let data = try? JSONEncoder().encode(value) else { return .null }
            return (try? JSONValue(utf8: Array(data))) ?? .null
        } decode: { json in
            try? JSONDecoder().decode(Value.self, from: Data(json.utf8))
        }
    }
}
