// SPDX-License-Identifier: Apache-2.0

extension EntryValue {
    /// Encodes a value of any `Encodable` type, such as one to publish.
    ///
    /// ```swift
    /// struct MenuItem: Codable { var title: String; var price: Double }
    ///
    /// let menu = try EntryValue(encoding: [MenuItem(title: "Pie", price: 2.5)])
    /// ```
    ///
    /// A `Date` becomes a text by RFC 3339 in UTC, rounded to milliseconds, a `URL` its text, and `Data` a text of Base64.
    /// A value that is `nil` as a whole becomes ``null``, which no key may have.
    ///
    /// - Throws: ``ConfigError``: `unsupportedValue` with the path of a number that is not finite, or an integer beyond
    ///   ``maximumInteger``; `tooLarge` beyond ``maximumBytes`` or ``maximumDepth``.
    public init(encoding value: some Encodable) throws(ConfigError) {
        do {
            self = try ValueEncoder.value(of: value)
        } catch {
            throw ConfigError(.unsupportedValue, CodingFault(error).description, underlying: error)
        }
        guard isWithinMaximumBytes else {
            throw ConfigError(.tooLarge, "the value is larger than \(Self.maximumBytes) bytes")
        }
        guard depth <= Self.maximumDepth else {
            throw ConfigError(.tooLarge, "the value is nested deeper than \(Self.maximumDepth) levels")
        }
    }

    /// Reads the value as any `Decodable` type, as those of a configuration are read.
    ///
    /// - Throws: `typeMismatch` with the path of what does not fit.
    public func value<Value: Decodable>(as type: Value.Type = Value.self) throws(ConfigError) -> Value {
        do {
            return try ValueDecoder(self).decode(type)
        } catch {
            throw ConfigError(.typeMismatch, CodingFault(error).description, underlying: error)
        }
    }

    /// Writes a value of any `Encodable` type, of any size and depth, with integers beyond those of JSON.
    package init(unlimited value: some Encodable) throws {
        self = try ValueEncoder.value(of: value, isLimited: false)
    }

    /// The nesting depth of arrays and objects.
    private var depth: Int {
        switch self {
        case .array(let elements): 1 + (elements.lazy.map(\.depth).max() ?? 0)
        case .object(let members): 1 + (members.lazy.map(\.value.depth).max() ?? 0)
        default: 0
        }
    }
}

extension EntryValue {
    /// The value as one of the commonest types; `nil` for any other. It is several times as fast as a search for the form of a
    /// type.
    package func plain<Value>(as type: Value.Type) -> Value? {
        switch self {
        case .string(let text) where type == String.self: text as? Value
        case .integer(let number) where type == Int.self: number as? Value
        case .boolean(let flag) where type == Bool.self: flag as? Value
        case .double(let number) where type == Double.self: number as? Value
        default: nil
        }
    }

    /// The elements of an array that can all be read as a type; `nil` for anything else.
    package func elements<Element: CodedScalar>(as type: Element.Type) -> [Element]? {
        guard case .array(let values) = self else { return nil }
        let elements = values.compactMap { Element(configValue: $0) }
        return elements.count == values.count ? elements : nil
    }

    /// The beginning of a text in quotes, or the kind of any other value.
    var shown: String {
        if case .string(let text) = self { return "\"\(text.excerpt(ofScalars: 40))\"" }
        return kindName.withArticle
    }
}
