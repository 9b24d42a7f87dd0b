public import Configuration
internal import Foundation

/// A value of any `Codable` type that a configuration holds as a string of JSON.
///
/// ``Configuration/ConfigReader/decoded(forKey:as:isSecret:fileID:line:)`` and its relatives read one; this type is for
/// what they leave out, such as arrays and snapshots.
///
/// ```swift
/// let banner = config.snapshot().string(forKey: "app.banner", as: DecodedJSON<Banner>.self)?.value
/// ```
public struct DecodedJSON<Value: Codable & Sendable>: Sendable {
    /// The value.
    public let value: Value

    /// Takes over a value.
    public init(_ value: Value) {
        self.value = value
    }
}

extension DecodedJSON: ExpressibleByConfigString {
    /// Reads JSON with Foundation's decoder; `nil` if it is none, or not of this type.
    public init?(configString: String) {
        guard let value = try? JSONDecoder().decode(Value.self, from: Data(configString.utf8)) else { return nil }
        self.value = value
    }

    /// The value as JSON with its keys in order; the type's name if it cannot be written.
    public var description: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = try? encoder.encode(value)
        return json.map { String(decoding: $0, as: UTF8.self) } ?? String(describing: Value.self)
    }
}
