public import ConfigModel

/// Keeps the last good document for the next start.
public protocol LocalDocumentLoader: Sendable {
    /// The document that was kept; `nil` if none was.
    func fetch() throws(ConfigError) -> [UInt8]?

    /// Keeps a document in place of the one before. Whoever reads at the same time gets one of the two, whole.
    func persist(_ document: [UInt8]) throws(ConfigError)
}

/// Asks the source of a document for it.
public protocol RemoteDocumentLoader: Sendable {
    /// The document as it is now.
    ///
    /// - Parameter tag: what came along with the document that is known; `nil` if none is.
    func fetch(after tag: String?) async throws(ConfigError) -> RemoteDocumentReading
}

/// What a source says when it is asked for a document.
public enum RemoteDocumentReading: Hashable, Sendable {
    /// The document as UTF-8, and a tag for the next request if the source gives any.
    case document([UInt8], tag: String?)
    /// The source still has the document of the tag.
    case unchanged
}
