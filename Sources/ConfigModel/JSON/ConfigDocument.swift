// SPDX-License-Identifier: Apache-2.0

/// A configuration as one JSON document: an object whose nesting is flattened to dotted keys.
///
/// ```json
/// { "app": { "background": { "color": "#FFB6C1" } }, "app.min_version": "1.0.0" }
/// ```
///
/// has the keys `app.background.color` and `app.min_version`. An object in an array is a value, not a branch of the
/// keys.
///
/// A document with the member `livery` has the exact form instead: each member of its `entries` is one key with its value,
/// objects included.
///
/// ```json
/// { "livery": 1, "entries": { "app.menu": { "title": "Home" } }, "schemas": { "app.menu": { "type": "object" } } }
/// ```
///
/// A key that cannot be stored is left out, and ``problems`` has its position. A document that is not JSON, or that has a
/// duplicate key, is rejected as a whole.
public struct ConfigDocument: Hashable, Sendable {
    /// A value and its place in the document.
    package struct Entry: Hashable, Sendable {
        /// The value.
        package var value: EntryValue
        /// The start of the value, if the document has a text.
        package var location: TextLocation?
    }

    /// The entries by key, in the order of the document.
    package internal(set) var entries = KeyedValues<Entry>()

    /// The keys, in the order of the document.
    public var keys: [String] { entries.keys }

    /// The value of a key; `nil` if there is none.
    public subscript(key: String) -> EntryValue? { entries[key]?.value }

    /// The start of the value of a key, if the document has a text; `nil` if there is none.
    public func location(forKey key: String) -> TextLocation? { entries[key]?.location }

    /// The errors of keys that were left out, in the order of the document: an invalid key, a value that is too large
    /// or too deep, `null`, or a number that a double cannot represent. The first ``maximumProblems`` of them.
    public internal(set) var problems: [ConfigError] = []

    /// The keys that were left out, of which not each has to be a key by `KeyRule`.
    package internal(set) var leftOut: Set<ExactString> = []

    /// The kinds of entries that the document lists, even if it has none of a kind: only values for a plain document, and the
    /// kinds of its members for an exact one. An import leaves other kinds unchanged.
    package internal(set) var kinds = Self.plainKinds

    /// The kinds of a plain document, in one set for all: most documents are small, and a set costs as much as a key.
    static let plainKinds: Set<EntryKind> = [.value]

    /// The schemas of an exact document, by key or pattern. They are not validated here.
    package internal(set) var schemas: [String: EntryValue] = [:]

    /// The rules of an exact document, by key. They are not validated here.
    package internal(set) var rules: [String: Entry] = [:]

    /// The maximum number of reported problems per document: 100.
    public static let maximumProblems = 100

    /// The maximum size of a document: 8 MiB.
    public static let maximumBytes = 8 * 1024 * 1024

    /// The first of the ``problems``, with how many keys were left out; `nil` if none was.
    public var problem: ConfigError? { problems.first?.standing(for: leftOut.count) }

    /// A document without anything, to be filled.
    init() {}

    /// Reads a document from UTF-8. Errors call it by the name of its source.
    ///
    /// - Throws: ``ConfigError`` with the line and column of the first error: `syntax` or `duplicateKey`; `tooLarge` beyond
    ///   the limit in bytes; `unsupportedValue` for an exact document of a newer version.
    public init(json: [UInt8], source: String, atMost limit: Int = maximumBytes) throws(ConfigError) {
        try self.init(text: json, source: source, atMost: limit) { () throws(ConfigError) in try JSONScanner(json) }
    }

    /// Reads a document of another format.
    ///
    /// - Parameters:
    ///   - text: the original of the translation.
    ///   - translate: rewrites it as JSON.
    package init(
        translating text: [UInt8],
        source: String,
        _ translate: ([UInt8]) throws(ConfigError) -> Translation
    ) throws(ConfigError) {
        try self.init(text: text, source: source) { () throws(ConfigError) in try JSONScanner(try translate(text)) }
    }

    /// - Parameters:
    ///   - mayBeExact: whether the document may say that it is exact.
    ///   - scanner: returns the scanner for the text or its translation.
    ///   - didRead: receives the reader at the end of the document.
    init(
        text: [UInt8],
        source: String,
        mayBeExact: Bool = true,
        atMost limit: Int = maximumBytes,
        distance: Int = DividedText.distance,
        scanner: () throws(ConfigError) -> JSONScanner,
        didRead: (DocumentReader) -> Void = { _ in }
    ) throws(ConfigError) {
        do throws(ConfigError) {
            guard text.count <= limit else {
                let size = "larger than \(limit >> 20) MiB"
                throw ConfigError(.tooLarge, "the document is \(size); store large content elsewhere")
            }
            let reader = try DocumentReader(try scanner(), mayBeExact: mayBeExact, distance: distance)
            didRead(reader)
            self = reader.document
            leftOut = Set(reader.leftOut.keys.map { ExactString(String(decoding: $0, as: UTF8.self)) })
            problems = problems.map { $0.naming(source: source) }
            // To find a line takes time, and one is shown.
            if let first = problems.first { problems[0] = first.naming(source: source, ofText: text) }
        } catch {
            throw error.naming(source: source, ofText: text)
        }
    }
}
