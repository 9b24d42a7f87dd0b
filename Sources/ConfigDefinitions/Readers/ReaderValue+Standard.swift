public import ConfigModel
internal import Configuration
public import Foundation

extension String: ReaderValue {
    /// Reads a text.
    public static func read(_ key: ReaderKey, from source: ReaderSource) -> Override<String> {
        Override(source.reader.string(forKey: key.key))
    }
}

extension Int: ReaderValue {
    /// Reads a whole number.
    public static func read(_ key: ReaderKey, from source: ReaderSource) -> Override<Int> {
        Override(source.reader.int(forKey: key.key))
    }

    /// Read from a whole number.
    public static var readerKinds: [ReaderKind] { [.int] }
}

extension Double: ReaderValue {
    /// Reads a number; a whole one is a number too.
    public static func read(_ key: ReaderKey, from source: ReaderSource) -> Override<Double> {
        Override(source.reader.double(forKey: key.key) ?? source.reader.int(forKey: key.key).map(Double.init))
    }

    /// Read from a number, whole or not.
    public static var readerKinds: [ReaderKind] { [.double, .int] }
}

extension Bool: ReaderValue {
    /// Reads a Boolean.
    public static func read(_ key: ReaderKey, from source: ReaderSource) -> Override<Bool> {
        Override(source.reader.bool(forKey: key.key))
    }

    /// Read from a Boolean.
    public static var readerKinds: [ReaderKind] { [.bool] }
}

extension RGBColor: ReaderValue {
    /// Reads a text of the form `#RRGGBB`, `RRGGBB` or `#RGB`.
    public static func read(_ key: ReaderKey, from source: ReaderSource) throws(ConfigError) -> Override<RGBColor> {
        try source.read(key, { RGBColor($0) }, expecting: readerTypeName)
    }
}

extension SemanticVersion: ReaderValue {
    /// Reads a version such as `1.2.3`.
    public static func read(
        _ key: ReaderKey,
        from source: ReaderSource
    ) throws(ConfigError) -> Override<SemanticVersion> {
        try source.read(key, { SemanticVersion($0) }, expecting: readerTypeName)
    }
}

extension URL: ReaderValue {
    /// Reads an absolute URL.
    public static func read(_ key: ReaderKey, from source: ReaderSource) throws(ConfigError) -> Override<URL> {
        try source.read(key, { URL(absolute: $0) }, expecting: readerTypeName)
    }
}

extension Date: ReaderValue {
    /// Reads a moment in UTC by ISO 8601.
    public static func read(_ key: ReaderKey, from source: ReaderSource) throws(ConfigError) -> Override<Date> {
        try source.read(key, { Date(iso8601: $0) }, expecting: readerTypeName)
    }
}

extension ReaderValue where Self: RawRepresentable, RawValue: ReaderValue {
    /// Reads the raw value.
    public static func read(_ key: ReaderKey, from source: ReaderSource) throws(ConfigError) -> Override<Self> {
        guard case .value(let raw) = try RawValue.read(key, from: source) else { return .none }
        if let value = Self(rawValue: raw) { return .value(value) }
        throw ConfigError(.typeMismatch, "\(ValueDescription.text(of: raw)) is no \(readerTypeName)")
    }

    /// Read from what the raw value is read from.
    public static var readerKinds: [ReaderKind] { RawValue.readerKinds }
}

extension Optional: ReaderValue where Wrapped: ReaderValue {
    /// Reads a value. A key that is absent overrides nothing, also not with nil, which a reader has no way to say.
    public static func read(
        _ key: ReaderKey,
        from source: ReaderSource
    ) throws(ConfigError) -> Override<Wrapped?> {
        try Wrapped.read(key, from: source).map(Optional.some)
    }

    /// Read from what the wrapped value is read from.
    public static var readerKinds: [ReaderKind] { Wrapped.readerKinds }
}
