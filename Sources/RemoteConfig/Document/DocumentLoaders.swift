// SPDX-License-Identifier: Apache-2.0

public import ConfigClient
public import ConfigModel
public import Essentials
internal import Files
internal import HTTPTransport

/// Keeps the last good document for the next start.
public protocol LocalDocumentLoader: Sendable {
    /// The document that was kept; `nil` if none was.
    func fetch() throws(ConfigError) -> [UInt8]?

    /// Keeps a document in place of the one before. A concurrent reader gets one of the two, whole.
    func persist(_ document: [UInt8]) throws(ConfigError)
}

/// Fetches a document from its source.
public protocol RemoteDocumentLoader: Sendable {
    /// The document as it is now.
    ///
    /// - Parameter tag: what came along with the document that is known; `nil` if none is.
    func fetch(after tag: String?) async throws(ConfigError) -> RemoteDocumentReading
}

/// The result of fetching a document.
public enum RemoteDocumentReading: Hashable, Sendable {
    /// The document as UTF-8, and the source's tag for the next request, if there is one.
    case document([UInt8], tag: String?)
    /// The source still has the document of the tag.
    case unchanged
}

/// Keeps a document in a file that only the user may read.
///
/// The file is replaced whole and survives a loss of power: a temporary file is written, flushed and renamed.
public struct FileDocumentLoader: LocalDocumentLoader {
    private let path: String
    private let disk = SystemDisk()

    /// Names the file; nothing is touched yet.
    ///
    /// - Parameter path: an absolute path; its folder is made when there is something to keep.
    public init(path: String) { self.path = path }

    /// The content of the file; `nil` if there is none.
    ///
    /// - Throws: `unreadable` if the system does not let it be read, `tooLarge` above 8 MiB.
    public func fetch() throws(ConfigError) -> [UInt8]? {
        do throws(FileError) {
            let limit = ConfigDocument.maximumBytes
            guard let bytes = try disk.read(path, from: 0, atMost: limit + 1) else { return nil }
            if bytes.count <= limit { return bytes }
        } catch {
            throw ConfigError(.unreadable, "cannot read the cached document", source: path, underlying: error)
        }
        throw ConfigError(.tooLarge, "the cached document is larger than 8 MiB; delete it", source: path)
    }

    /// Replaces the file.
    ///
    /// - Throws: `unreadable` if the system rejects the write; the file is then unchanged.
    public func persist(_ document: [UInt8]) throws(ConfigError) {
        do throws(FileError) {
            try disk.makeFolder(path.folderOfPath)
            try disk.locked(path + ".lock", patience: CacheKeeper.patience) { () throws(FileError) in
                try disk.replace(path, with: document)
            }
        } catch {
            let message = "cannot cache the document: \(error)"
            throw ConfigError(.unreadable, message, source: path, underlying: error)
        }
    }
}

/// Fetches a document from a web server, unless it is unchanged (`ETag`).
public struct HTTPDocumentLoader: RemoteDocumentLoader {
    private let requests: DocumentRequests

    /// Creates a loader without making a request.
    ///
    /// - Parameters:
    ///   - url: of `http` or `https`, without user and password.
    ///   - tokens: called before each request, and again if the token is rejected. A token is only sent to the origin of the
    ///     URL, and unencrypted only on this machine.
    ///   - allowInsecureHosts: hosts that may see the token without encryption all the same.
    ///   - options: how to connect.
    public init(
        url: URL,
        tokens: TokenProvider = .fixed(nil),
        allowInsecureHosts: Set<String> = [],
        options: TransportOptions = .standard
    ) {
        let transport = HTTPClient(allowInsecureHosts: allowInsecureHosts, settings: options.settings)
        requests = DocumentRequests(url: url, AuthorizedTransport(transport: transport, tokens: tokens))
    }

    /// The document, of 8 MiB at most.
    ///
    /// - Throws: the error of the connection or the status; `badResponse` for a web page instead of JSON.
    public func fetch(after tag: String?) async throws(ConfigError) -> RemoteDocumentReading {
        do throws(ConfigError) {
            var conditions = HTTPHeaders()
            conditions["If-None-Match"] = tag
            let response = try await requests.response(if: conditions)
            if response.head.status == 304, tag != nil { return .unchanged }
            return .document(try response.json(), tag: response.head.headers["ETag"])
        } catch {
            throw error.naming(source: requests.name)
        }
    }
}
