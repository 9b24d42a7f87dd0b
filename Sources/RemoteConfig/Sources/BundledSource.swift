// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// The values bundled with a program, as the lowest layer of a ``LayeredSource``: they are available at once and never change.
///
/// ```swift
/// let defaults = BundledSource(try ConfigDocument(values: ["app.title": "Hi", "theme": ["dark": true]]))
/// ```
public struct BundledSource: ConfigSource {
    /// The source named in the entries.
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

    /// Requests a single read of the document.
    public func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError) {
        await receive(.hint(.settled))
    }
}
