public import ConfigModel
public import Foundation

/// Asks a web server for a document, and not again for one that it still has (`ETag`).
public struct HTTPDocumentLoader: RemoteDocumentLoader {
    private let url: URL
    private let tokens: TokenProvider
    private let transport: any HTTPTransport

    /// Creates a loader; nothing is asked yet.
    ///
    /// - Parameters:
    ///   - url: of `http` or `https`, without user and password.
    ///   - token: shown to the origin of the URL and to no other, and not without encryption, except on this machine.
    ///   - allowInsecureHosts: hosts that may see the token without encryption all the same.
    public init(url: URL, token: BearerToken? = nil, allowInsecureHosts: Set<String> = []) {
        self.init(url: url, tokens: .fixed(token), allowInsecureHosts: allowInsecureHosts)
    }

    /// Creates a loader whose token may change while the program runs.
    ///
    /// - Parameters:
    ///   - url: of `http` or `https`, without user and password.
    ///   - tokens: asked before each request; see ``init(url:token:allowInsecureHosts:)`` for where a token goes.
    ///   - allowInsecureHosts: hosts that may see the token without encryption all the same.
    public init(url: URL, tokens: TokenProvider, allowInsecureHosts: Set<String> = []) {
        self.init(url: url, tokens: tokens, transport: CurlTransport(allowInsecureHosts: allowInsecureHosts))
    }

    package init(url: URL, tokens: TokenProvider = .fixed(nil), transport: any HTTPTransport) {
        self.url = url
        self.tokens = tokens
        self.transport = transport
    }

    /// The document, of 8 MiB at most.
    ///
    /// - Throws: what the connection or the status says; `badResponse` if a page is there instead of JSON.
    public func fetch(after tag: String?) async throws(ConfigError) -> RemoteDocumentReading {
        do throws(ConfigError) {
            var request = HTTPRequest(url: url, token: try tokens.token())
            request.headers["Accept"] = "application/json, */*;q=0.5"
            request.headers["If-None-Match"] = tag
            let response = try await transport.response(to: request)
            if response.status == 304, tag != nil { return .unchanged }
            return .document(try response.json(), tag: response.headers["ETag"])
        } catch {
            // The query may hold secrets.
            throw error.naming(source: String(url.absoluteString.prefix { $0 != "?" && $0 != "#" }))
        }
    }
}
