// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import Configuration
public import Essentials

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

/// An address that is complete in itself.
///
/// Foundation's `URL` takes nearly every text for an address, as one that is relative to another; as a value of a
/// configuration that is a mistake.
///
/// ```swift
/// let url = config.string(forKey: "app.fun_button.url", as: AbsoluteURL.self)?.url
/// ```
///
/// Any scheme will do, `javascript:` included: look at the scheme before you open what others wrote.
public struct AbsoluteURL: Hashable, Sendable {
    /// The address; it has a scheme, and a host if the scheme is one of the web's.
    public let url: URL

    /// Takes over an address; `nil` if it is relative, or one of the web without a host.
    public init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), !scheme.isEmpty else { return nil }
        if ["http", "https", "ws", "wss"].contains(scheme), (url.host() ?? "").isEmpty { return nil }
        self.url = url.absoluteURL
    }
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

/// A value of any `Codable` type that a configuration holds as a string of JSON, for all getters of strings.
///
/// ```swift
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
