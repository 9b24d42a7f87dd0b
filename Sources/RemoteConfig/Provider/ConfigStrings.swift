// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import Configuration
internal import Essentials

/// Read with `config.string(forKey: "app.background.color", as: RGBColor.self)`.
extension RGBColor: ExpressibleByConfigString {
    /// Reads `#RRGGBB`, `RRGGBB` or `#RGB`; `nil` for anything else.
    public init?(configString: String) { self.init(configString) }
}

/// Read with `config.string(forKey: "app.min_version", as: SemanticVersion.self)`.
extension SemanticVersion: ExpressibleByConfigString {
    /// Reads a version by SemVer 2.0.0, such as `1.4.0-rc.1`; `nil` for anything else.
    public init?(configString: String) { self.init(configString) }
}

/// Read with `config.string(forKey: "app.versions", as: VersionRange.self)`.
extension VersionRange: ExpressibleByConfigString {
    /// Reads a range such as `>=1.2.0 <2.0.0`; `nil` for anything else.
    public init?(configString: String) { self.init(configString) }
}

extension AbsoluteURL: ExpressibleByConfigString {
    /// Reads an address by RFC 3986; nothing is mended or escaped.
    public init?(configString: String) {
        guard let url = URL(string: configString, encodingInvalidCharacters: false) else { return nil }
        self.init(url)
    }

    /// The address as text.
    public var description: String { url.absoluteString }
}

/// A value of any `Codable` type that a configuration holds as an object, an array of objects, or a string of JSON, for all
/// getters of strings.
///
/// ```swift
/// struct Banner: Codable { var text: String }
///
/// let config = ConfigReader(provider: RemoteConfigProvider(service: service))
/// let banner = config.string(forKey: "app.banner", as: DecodedJSON<Banner>.self)?.value
/// ```
public struct DecodedJSON<Value: Codable & Sendable>: Sendable {
    /// The value.
    public let value: Value

    /// Takes over a value.
    public init(_ value: Value) { self.value = value }
}

extension DecodedJSON: ExpressibleByConfigString {
    /// Reads JSON with Foundation's decoder; `nil` if it is none, or not of this type.
    public init?(configString: String) {
        // swift-configuration reports that the conversion failed; it has no place for a reason.
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
