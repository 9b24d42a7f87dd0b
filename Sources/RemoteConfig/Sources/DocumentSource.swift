public import ConfigModel
public import Foundation
package import HTTPTransport

/// A JSON document at a web address, asked for from time to time.
///
/// The server is asked for the document only if it has changed (`ETag`, `Last-Modified`), as often as its
/// `Cache-Control` suggests: every 5 s at most and every 5 minutes at least, and every 30 s if it says nothing. A
/// document that is not usable is not sent again either, until there is another one.
public struct DocumentSource: ConfigSource {
    /// The address without its query, in which there may be secrets.
    public var name: String { requests.name }
    /// The whole address without its fragment.
    public var identity: String { requests.identity }
    /// By asking, every 30 s unless the server suggests otherwise.
    public var delivery: SourceDelivery { .polled(every: rule.usual) }
    private let requests: DocumentRequests
    private let rule = CachingRule()
    private let rejected = RejectedAnswer()

    /// Creates a source; nothing is asked yet.
    ///
    /// - Parameters:
    ///   - url: of `http` or `https`, without user and password.
    ///   - token: shown to the origin of the URL and to no other, and not without encryption, except on this machine.
    ///   - allowInsecureHosts: hosts that may see the token without encryption all the same.
    public init(url: URL, token: BearerToken? = nil, allowInsecureHosts: Set<String> = []) {
        self.init(url: url, tokens: .fixed(token), allowInsecureHosts: allowInsecureHosts)
    }

    /// Creates a source whose token may change while the program runs.
    ///
    /// - Parameters:
    ///   - url: of `http` or `https`, without user and password.
    ///   - tokens: asked before each request; see ``init(url:token:allowInsecureHosts:)`` for where a token goes.
    ///   - allowInsecureHosts: hosts that may see the token without encryption all the same.
    public init(url: URL, tokens: TokenProvider, allowInsecureHosts: Set<String> = []) {
        self.init(url: url, tokens: tokens, transport: CurlTransport(allowInsecureHosts: allowInsecureHosts))
    }

    /// Creates a source with a transport of its own.
    package init(
        url: URL,
        tokens: TokenProvider = .fixed(nil),
        transport: any Transport,
        timeouts: HTTPTimeouts = .document
    ) {
        requests = DocumentRequests(url: url, tokens: tokens, transport: transport, timeouts: timeouts)
    }

    /// Asks for the document, or for whether it has changed since the state that is known.
    ///
    /// - Throws: what the transport, the status, or ``ConfigDocument`` says. `badResponse` if HTML is there instead.
    public func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        do throws(ConfigError) {
            let response = try await requests.response(if: conditions(after: known.validators))
            do throws(ConfigError) {
                return try reading(of: response, since: known.validators)
            } catch {
                throw error.staying(for: rule.statedInterval(after: response.headers, at: .now))
            }
        } catch {
            throw error.source == nil ? error.naming(source: name) : error
        }
    }

    private func conditions(after known: SourceValidators?) -> HTTPHeaders {
        var headers = HTTPHeaders()
        let bad = rejected.validators
        let tags = [known?.entityTag, bad?.entityTag].compactMap(\.self)
        if !tags.isEmpty { headers["If-None-Match"] = tags.joined(separator: ", ") }
        // A date is the coarser mark, and for servers that give no other.
        if tags.isEmpty { headers["If-Modified-Since"] = bad?.lastModified ?? known?.lastModified }
        return headers
    }

    private func reading(
        of response: HTTPResponse,
        since known: SourceValidators?
    ) throws(ConfigError) -> SourceReading {
        let headers = response.headers
        var reading = SourceReading(.unchanged, nextReadAfter: rule.interval(after: headers, at: .now))
        reading.modifiedAt = headers["Last-Modified"].flatMap(Timestamp.init(httpDate:))
        var validators = SourceValidators(entityTag: headers["ETag"], lastModified: headers["Last-Modified"])
        if response.status == 304 {
            if let error = rejected.error(confirmedBy: validators.entityTag, besides: known) { throw error }
            if known?.entityTag != nil || known?.lastModified != nil {
                validators.entityTag = validators.entityTag ?? known?.entityTag
                validators.lastModified = validators.lastModified ?? known?.lastModified
                reading.validators = validators
                return reading
            }
        }
        reading.content = .document(try document(in: response, validators))
        reading.validators = validators
        return reading
    }

    private func document(
        in response: HTTPResponse,
        _ validators: SourceValidators
    ) throws(ConfigError) -> ConfigDocument {
        do throws(ConfigError) {
            let document = try ConfigDocument(json: response.json(), source: name)
            rejected.forget()
            return document
        } catch {
            if response.status == 200 { rejected.remember(error, validators) }
            throw error
        }
    }
}
