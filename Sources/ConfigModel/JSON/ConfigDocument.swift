// SPDX-License-Identifier: Apache-2.0

/// A configuration as one JSON document: an object whose nesting is flattened to dotted keys.
///
/// ```json
/// { "app": { "background": { "color": "#FFB6C1" } }, "app.min_version": "1.0.0" }
/// ```
///
/// has the keys `app.background.color` and `app.min_version`. An object in an array is value, not a branch of the keys.
///
/// A document that says so is exact instead: each member of its `entries` is one key with its value, objects included.
///
/// ```json
/// { "livery": 1, "entries": { "app.menu": { "title": "Home" } }, "schemas": { "app.menu": { "type": "object" } } }
/// ```
///
/// A key that cannot be held is left out, and ``problems`` names its place. What is not JSON, or says a key twice, is
/// refused whole.
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

    /// Why keys were left out, in the order of the document: a key that breaks ``KeyRule``, a value that is too large or
    /// too deep, `null`, or a number that a double does not keep. The first ``maximumProblems`` of them.
    public internal(set) var problems: [ConfigError] = []

    /// The keys that were left out, of which not each has to be a key by ``KeyRule``.
    public internal(set) var leftOut: Set<ExactString> = []

    /// The kinds of entries that the document lists, even if it has none of a kind: values alone of a plain document, and
    /// those of its members of an exact one. What a document does not list, an import leaves as it is.
    public internal(set) var kinds = Self.plainKinds

    /// The kinds of a plain document, in one set for all: most documents are small, and a set costs as much as a key.
    static let plainKinds: Set<EntryKind> = [.value]

    /// The schemas of an exact document, by key or pattern. They are not validated here.
    public internal(set) var schemas: [String: EntryValue] = [:]

    /// The rules of an exact document, by key. They are not validated here.
    public internal(set) var rules: [String: Entry] = [:]

    /// The most problems that a document tells: 100.
    public static let maximumProblems = 100

    /// The most bytes a document may have: 8 MiB.
    public static let maximumBytes = 8 * 1024 * 1024

    /// The first of the ``problems``, with how many keys were left out; `nil` if none was.
    public var problem: ConfigError? { problems.first?.standing(for: leftOut.count) }

    /// Reads a document from UTF-8. Errors call it by the name of its source.
    ///
    /// - Throws: ``ConfigError`` with the line and column of the first fault: `syntax` or `duplicateKey`; `tooLarge` beyond
    ///   ``maximumBytes``; `unsupportedValue` if it is exact in a way that only newer programs read.
    public init(json: [UInt8], source: String) throws(ConfigError) {
        try self.init(json: json, source: source, mayBeExact: true)
    }

    /// - Parameter mayBeExact: whether the document may say that it is exact.
    init(json: [UInt8], source: String, mayBeExact: Bool) throws(ConfigError) {
        try self.init(text: json, source: source, mayBeExact: mayBeExact) { () throws(ConfigError) in
            try JSONScanner(json)
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
        try self.init(text: text, source: source) { () throws(ConfigError) in try JSONScanner(try translate(text)) }
    }

    /// - Parameter scanner: reads the JSON that the text is or stands for.
    private init(
        text: [UInt8],
        source: String,
        mayBeExact: Bool = true,
        scanner: () throws(ConfigError) -> JSONScanner
    ) throws(ConfigError) {
        do throws(ConfigError) {
            guard text.count <= Self.maximumBytes else {
                throw ConfigError(.tooLarge, "the document is larger than 8 MiB")
            }
            var reader = DocumentReader(try scanner(), mayBeExact: mayBeExact)
            try reader.read()
            entries = reader.entries
            kinds = reader.kinds
            schemas = reader.schemas
            rules = reader.rules
            leftOut = Set(reader.leftOut.keys.map { ExactString(String(decoding: $0, as: UTF8.self)) })
            problems = reader.problems.map { $0.naming(source: source) }
            // To find a line takes time, and one is shown.
            if let first = problems.first { problems[0] = first.naming(source: source, ofText: text) }
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
