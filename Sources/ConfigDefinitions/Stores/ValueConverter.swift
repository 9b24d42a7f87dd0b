public import ConfigModel
internal import Essentials

/// Turns values of a type into what is stored, and back.
///
/// Converters are made from converters: ``optional``, ``array``, ``mapped(typeName:to:from:)``.
///
/// ```swift
/// let seconds = Int.configConverter.mapped(typeName: "seconds") { Duration.seconds($0) } from: {
///     Int($0.components.seconds)
/// }
/// ```
public struct ValueConverter<Value: Sendable>: Sendable {
    /// How values are stored and shown, without their type.
    public let form: ValueForm
    private let encode: @Sendable (Value) -> JSONValue
    private let decode: @Sendable (JSONValue) -> Value?

    /// Creates a converter from two functions, each of which undoes what the other does; see ``ValueForm`` for the rest.
    ///
    /// - Parameter decode: gives the value of a stored form, or `nil` if it is not one of the type.
    public init(
        typeName: String,
        isText: Bool = false,
        content: ValueForm? = nil,
        encode: @escaping @Sendable (Value) -> JSONValue,
        decode: @escaping @Sendable (JSONValue) -> Value?
    ) {
        form = ValueForm(typeName: typeName, isText: isText, contents: [content].compactMap(\.self)) {
            decode($0).map(encode)
        }
        self.encode = encode
        self.decode = decode
    }

    /// The stored form of a value.
    public func json(of value: Value) -> JSONValue { encode(value) }

    /// The value of a stored form.
    ///
    /// - Throws: `typeMismatch`, saying what was expected.
    public func value(of json: JSONValue) throws(ConfigError) -> Value {
        if let value = decode(json) { return value }
        throw form.mismatch(json)
    }

    /// A value as a person reads and edits it: a string as it is, anything else as JSON.
    public func text(of value: Value) -> String { form.text(of: encode(value)) }

    /// Reads what ``text(of:)`` writes.
    ///
    /// - Throws: `typeMismatch` or `syntax`, saying what was expected.
    public func value(ofText text: String) throws(ConfigError) -> Value { try value(of: form.json(ofText: text)) }

    /// What a link says that finds a stored form under a key, or nothing.
    func override(_ json: JSONValue?, key: String) throws(ConfigError) -> Override<Value> {
        guard let json else { return .none }
        if let value = decode(json) { return .value(value) }
        throw form.mismatch(json).naming(key: key)
    }
}

extension ValueConverter {
    /// The converter of another type that is stored as this one is.
    ///
    /// - Parameter to: gives the other value, or `nil` if there is none for this one; `from` undoes it.
    public func mapped<Other>(
        typeName: String,
        to: @escaping @Sendable (Value) -> Other?,
        from: @escaping @Sendable (Other) -> Value
    ) -> ValueConverter<Other> {
        ValueConverter<Other>(typeName: typeName, isText: form.isText) { [encode] in
            encode(from($0))
        } decode: { [decode] in
            decode($0).flatMap(to)
        }
    }

    /// The converter of values that may be nil, which is stored as `null`.
    public var optional: ValueConverter<Value?> {
        ValueConverter<Value?>(typeName: "optional \(form.typeName)", content: form) { [encode] in
            $0.map(encode) ?? .null
        } decode: { [decode] json in
            json == .null ? .some(nil) : decode(json).map(Optional.some)
        }
    }

    /// The converter of arrays, which are stored as JSON arrays, whatever their elements contain.
    public var array: ValueConverter<[Value]> {
        ValueConverter<[Value]>(typeName: "array of \(form.typeName)", content: form) { [encode] in
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
        }
    }

    /// The converter of a type that is stored as its raw value.
    public static func rawValue(
        typeName: String = String(describing: Value.self)
    ) -> ValueConverter where Value: RawRepresentable, Value.RawValue: ConfigStorable {
        Value.RawValue.configConverter.mapped(typeName: typeName, to: { Value(rawValue: $0) }, from: { $0.rawValue })
    }

    /// The converter of a type that is stored as its description, which reads back as the same value.
    public static func lossless(
        typeName: String = String(describing: Value.self)
    ) -> ValueConverter where Value: LosslessStringConvertible {
        String.configConverter.mapped(typeName: typeName, to: { Value($0) }, from: { $0.description })
    }

    /// The converter of a type that is stored as `Codable` writes it to JSON.
    ///
    /// A value that cannot be written, such as one that holds an infinite number, is stored as `null`.
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

/// What a link of a definition's chain says: a value, which may be nil, or nothing.
///
/// For an optional value, `.value(nil)` overrides with nil and ``none`` leaves the decision to the links below.
public enum Override<Value> {
    /// The definition has this value.
    case value(Value)
    /// The next link is asked.
    case none

    /// An override with the value that is there, or none.
    public init(_ value: Value?) {
        self = value.map(Override.value) ?? .none
    }
}

extension Override: Sendable where Value: Sendable {}
extension Override: Equatable where Value: Equatable {}
extension Override: Hashable where Value: Hashable {}
