// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// What a program carries with it, as the lowest layer of a ``LayeredSource``: it is there at once and never changes.
///
/// ```swift
/// let defaults = BundledSource(try ConfigDocument(values: ["app.title": "Hi", "theme": ["dark": true]]))
/// ```
public struct BundledSource: ConfigSource {
    /// What the entries name as their source.
    public let name: String
    /// There is nothing to wait for.
    public let delivery = SourceDelivery.watched
    private let document: ConfigDocument

    /// Creates a source of a document.
    public init(_ document: ConfigDocument, name: String = "bundled default") {
        (self.document, self.name) = (document, name)
    }

    /// The document.
    public var bundled: ConfigDocument? { document }

    /// The document.
    public func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        SourceReading(.document(document))
    }

    /// Has the document read once.
    public func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError) {
        await receive(.hint(.settled))
    }
}
