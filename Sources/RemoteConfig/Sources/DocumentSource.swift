public import ConfigModel
public import Foundation

/// A JSON document at a web address, asked for from time to time.
///
/// The server is asked for the document only if it has changed (`ETag`, `Last-Modified`), as often as its
/// `Cache-Control` suggests: every 5 s at most and every 5 minutes at least, and every 30 s if it says nothing.
public struct DocumentSource: ConfigSource {
    /// The address without its query, in which there may be secrets.
    public let name: String
    /// The whole address without its fragment.
    public let identity: String
    /// By asking, every 30 s unless the server suggests otherwise.
    public var delivery: SourceDelivery { .polled(every: rule.usual) }
    private let url: URL
    private let token: BearerToken?
    private let transport: any HTTPTransport
    private let rule = CachingRule()
    private let timeouts: HTTPTimeouts

    /// Creates a source; nothing is asked yet.
    ///
    /// - Parameters:
    ///   - url: of `http` or `https`, without user and password.
    ///   - token: shown to the origin of the URL and to no other, and not without encryption, except on this machine.
    ///   - allowInsecureHosts: hosts that may see the token without encryption all the same.
    public init(url: URL, token: BearerToken? = nil, allowInsecureHosts: Set<String> = []) {
        self.init(url: url, token: token, transport: CurlTransport(allowInsecureHosts: allowInsecureHosts))
    }

    /// Creates a source with a transport of its own.
    package init(
        url: URL,
        token: BearerToken? = nil,
        transport: any HTTPTransport,
        timeouts: HTTPTimeouts = .document
    ) {
        self.url = url
        self.token = token
        self.transport = transport
        self.timeouts = timeouts
        let text = url.absoluteString
        name = String(text.prefix { $0 != "?" && $0 != "#" })
        identity = String(text.prefix { $0 != "#" })
    }

    /// Asks for the document, or for whether it has changed since the state that is known.
    ///
    /// - Throws: what the transport, the status, or ``ConfigDocument`` says. `badResponse` if HTML is there instead.
    public func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        do throws(ConfigError) {
            let response = try await transport.response(to: request(after: known.validators))
            return try reading(of: response, since: known.validators)
        } catch {
            throw error.source == nil ? error.naming(source: name) : error
        }
    }

    private func request(after known: SourceValidators?) -> HTTPRequest {
        var request = HTTPRequest(url: url, token: token, timeouts: timeouts)
        request.headers["Accept"] = "application/json, */*;q=0.5"
        request.headers["If-None-Match"] = known?.entityTag
        // A date is the coarser mark, and for servers that give no other.
        if known?.entityTag == nil { request.headers["If-Modified-Since"] = known?.lastModified }
        return request
    }

    private func reading(
        of response: HTTPResponse,
        since known: SourceValidators?
    ) throws(ConfigError) -> SourceReading {
        let headers = response.headers
        var reading = SourceReading(.unchanged, nextReadAfter: rule.interval(after: headers, at: .now))
        reading.modifiedAt = headers["Last-Modified"].flatMap(Timestamp.init(httpDate:))
        if response.status == 304, known?.entityTag != nil || known?.lastModified != nil {
            reading.validators = SourceValidators(
                entityTag: headers["ETag"] ?? known?.entityTag,
                lastModified: headers["Last-Modified"] ?? known?.lastModified
            )
            return reading
        }
        reading.content = .document(try ConfigDocument(json: response.json(), source: name))
        reading.validators = SourceValidators(entityTag: headers["ETag"], lastModified: headers["Last-Modified"])
        return reading
    }
}
