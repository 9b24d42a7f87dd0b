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
        self.init(typeName, isText: isText, content, encode: encode, decode: decode) { _ in nil }
    }

    /// - Parameter explain: says what is wrong in a stored form that is no value of the type.
    private init(
        _ typeName: String,
        isText: Bool = false,
        _ content: ValueForm? = nil,
        encode: @escaping @Sendable (Value) -> JSONValue,
        decode: @escaping @Sendable (JSONValue) -> Value?,
        explain: @escaping @Sendable (JSONValue) -> CodingFault?
    ) {
        let contents = [content].compactMap(\.self)
        form = ValueForm(
            typeName: typeName,
            isText: isText,
            contents: contents,
            normalize: { decode($0).map(encode) },
            explain: explain
        )
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
        ValueConverter<Value?>("optional \(form.typeName)", form) { [encode] in
            $0.map(encode) ?? .null
        } decode: { [decode] json in
            json == .null ? .some(nil) : decode(json).map(Optional.some)
        } explain: { [form] json in
            form.explain(json)
        }
    }

    /// The converter of arrays, which are stored as JSON arrays, whatever their elements contain.
    public var array: ValueConverter<[Value]> {
        ValueConverter<[Value]>("array of \(form.typeName)", form) { [encode] in
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
    /// A `Date` in it is stored as a definition's own is, and `Data` as a text of Base64. A value that cannot be written, such
    /// as one that holds an infinite number, is stored as `null`. An error names the path of what does not fit.
    public static func codable(
        typeName: String = String(describing: Value.self)
    ) -> ValueConverter where Value: Codable {
        ValueConverter(typeName) { value in
            guard let data = try? JSONEncoder.ofValues.encode(value) else { return .null }
            return (try? JSONValue(utf8: Array(data))) ?? .null
        } decode: { json in
            try? JSONDecoder.ofValues.decode(Value.self, from: Data(json.utf8))
        } explain: { json in
            do {
                _ = try JSONDecoder.ofValues.decode(Value.self, from: Data(json.utf8))
                return nil
            } catch {
                return CodingFault(error)
            }
        }
    }
}

extension JSONEncoder {
    fileprivate static var ofValues: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            switch Date.configConverter.json(of: date) {
            case .double(let seconds): try container.encode(seconds)
            case .string(let text): try container.encode(text)
            default: try container.encodeNil()
            }
        }
        return encoder
    }
}

extension JSONDecoder {
    /// Reads a `Date` as a number of seconds as well, which is what the first versions wrote.
    fileprivate static var ofValues: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let json: JSONValue
            if let seconds = try? container.decode(Double.self) {
                json = .double(seconds)
            } else {
                json = .string(try container.decode(String.self))
            }
            do throws(ConfigError) {
                return try Date.configConverter.value(of: json)
            } catch {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: error.message)
            }
        }
        return decoder
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
