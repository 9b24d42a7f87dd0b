/// A configuration as one JSON document: an object whose nesting is flattened to dotted keys.
///
/// ```json
/// { "app": { "background": { "color": "#FFB6C1" } }, "app.min_version": "1.0.0" }
/// ```
///
/// has the keys `app.background.color` and `app.min_version`. A document is read whole or refused whole.
public struct ConfigDocument: Hashable, Sendable {
    /// A value and its place in the document.
    public struct Entry: Hashable, Sendable {
        /// The value.
        public var value: EntryValue
        /// Where the value starts, if the document is a text.
        public var location: TextLocation?
    }

    /// The entries by key, in the order of the document.
    public internal(set) var entries: KeyedValues<Entry>

    /// The most bytes a document may have: 8 MiB.
    public static let maximumBytes = 8 * 1024 * 1024

    /// Reads a document from UTF-8. Errors call it by the name of its source.
    ///
    /// - Throws: ``ConfigError`` with the line and column of the first fault, such as a duplicate key, `null`, an array
    ///   of mixed kinds, or a key or value beyond its limit.
    public init(json: [UInt8], source: String) throws(ConfigError) {
        do throws(ConfigError) {
            guard json.count <= Self.maximumBytes else {
                throw ConfigError(.tooLarge, "the document is larger than 8 MiB")
            }
            var reader = DocumentReader(try JSONScanner(json))
            try reader.read()
            entries = reader.entries
        } catch {
            throw error.naming(source: source, ofText: json)
        }
    }

    /// Reads a document of another format.
    ///
    /// - Parameters:
    ///   - text: what it was translated from.
    ///   - translate: rewrites it as JSON.
    package init(
        translating text: [UInt8],
        source: String,
        _ translate: ([UInt8]) throws(ConfigError) -> Translation
    ) throws(ConfigError) {
        do throws(ConfigError) {
            guard text.count <= Self.maximumBytes else {
                throw ConfigError(.tooLarge, "the document is larger than 8 MiB")
            }
            var reader = DocumentReader(try JSONScanner(try translate(text)))
            try reader.read()
            entries = reader.entries
        } catch {
            throw error.naming(source: source, ofText: text)
        }
    }
}

extension ConfigError {
    /// The same error with its source and the line of its place.
    fileprivate func naming(source: String, ofText text: [UInt8]) -> ConfigError {
        var error = naming(source: source)
        error.excerpt = location.map { Excerpt(of: text, at: $0) }
        return error
    }
}
