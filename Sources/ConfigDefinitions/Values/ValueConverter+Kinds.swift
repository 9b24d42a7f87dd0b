internal import Foundation

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
