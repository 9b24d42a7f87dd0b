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
        /// Where the value starts.
        public var location: TextLocation
    }

    /// The entries by key, in the order of the document.
    public let entries: KeyedValues<Entry>

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
            var reader = try DocumentReader(json)
            try reader.read()
            entries = reader.entries
        } catch {
            var error = error.naming(source: source)
            error.excerpt = error.location.map { ConfigError.Excerpt(of: json, at: $0) }
            throw error
        }
    }
}
