// SPDX-License-Identifier: Apache-2.0

public import ConfigClient
public import ConfigModel
public import Essentials
internal import HTTPTransport
internal import Synchronization

/// A JSON document at a URL, which is polled.
///
/// The server sends the document only if it has changed (`ETag`, `Last-Modified`). It is polled at the interval of its
/// `Cache-Control`, limited to 5 s to 5 minutes, and every 30 s without one, unless ``ConnectionPolicy/pollingInterval`` is
/// set. An invalid document is not transferred again either until it changes.
public struct DocumentSource: ConfigSource {
    /// The address without its query, in which there may be secrets.
    public let name: String
    /// The whole address without its fragment, after the Unix socket and the hash of header fields, client certificate and
    /// account (`TokenProvider`) if there are any.
    public let identity: String
    /// By polling, every 30 s unless the server suggests otherwise.
    public var delivery: SourceDelivery { .polled(every: CachingRule.usual) }
    private let url: URL
    private let transport: AuthorizedTransport
    private let rejected = RejectedAnswer()

    /// Creates a source without making a request.
    ///
    /// - Parameters:
    ///   - url: of `http` or `https`, without user and password.
    ///   - tokens: called before each request, and again if the token is rejected. A token is only sent to the origin of the
    ///     URL, and unencrypted only on this machine.
    ///   - allowInsecureHosts: additional hosts that may receive the token without encryption, besides this machine.
    ///   - options: how to connect.
    public init(
        url: URL,
        tokens: TokenProvider = .anonymous,
        allowInsecureHosts: Set<String> = [],
        options: TransportOptions = .standard
    ) {
        let client = HTTPClient(allowInsecureHosts: allowInsecureHosts, settings: options.settings)
        (self.url, transport) = (url, AuthorizedTransport(transport: client, tokens: tokens))
        var address = URLComponents(url: url, resolvingAgainstBaseURL: true) ?? URLComponents()
        // A request with a user or a password is refused, but the name is shown before any request.
        (address.user, address.password, address.fragment) = (nil, nil, nil)
        let text = address.string ?? ""
        name = String(text.prefix { $0 != "?" })
        identity = options.identity(of: text, account: tokens.account)
    }

    /// Fetches the document, or checks whether it has changed since the known state.
    ///
    /// - Throws: the error of the transport, the status, or `ConfigDocument`; `badResponse` for HTML instead.
    public func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        do throws(ConfigError) {
            let conditions = conditions(after: known.validators)
            var request = HTTPRequest(url: url, headers: conditions, timeouts: .document)
            request.headers["Accept"] = "application/json, */*;q=0.5"
            let response = try await transport.response(to: request)
            do throws(ConfigError) {
                return try reading(of: response, since: known.validators)
            } catch {
                var error = error.counting(bytes: response.receivedBytes)
                error.freshFor = CachingRule.statedInterval(after: response.head.headers, at: .now)
                throw error
            }
        } catch {
            throw error.namingIfUnnamed(source: name)
        }
    }

    private func conditions(after known: SourceValidators?) -> HTTPHeaders {
        var headers = HTTPHeaders()
        let bad = rejected.validators
        let tags = [known?.entityTag, bad?.entityTag].compactMap(\.self)
        if !tags.isEmpty { headers["If-None-Match"] = tags.joined(separator: ", ") }
        // A date is less precise, and only for servers without entity tags.
        if tags.isEmpty { headers["If-Modified-Since"] = bad?.lastModified ?? known?.lastModified }
        return headers
    }

    private func reading(
        of response: HTTPResponse,
        since known: SourceValidators?
    ) throws(ConfigError) -> SourceReading {
        let headers = response.head.headers
        var reading = SourceReading(.unchanged, nextReadAfter: CachingRule.statedInterval(after: headers, at: .now))
        reading.bytesReceived = response.receivedBytes
        reading.modifiedAt = headers["Last-Modified"].flatMap(Timestamp.init(httpDate:))
        var validators = SourceValidators(entityTag: headers["ETag"], lastModified: headers["Last-Modified"])
        if response.head.status == 304 {
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
            if response.head.status == 200 { rejected.remember(error, validators) }
            throw error
        }
    }
}

extension HTTPResponse {
    /// The body, if status and type are those of a JSON document; its contents are not checked.
    func json() throws(ConfigError) -> [UInt8] {
        if let problem = head.problem(isDocument: true) { throw problem }
        guard head.status == 200 || head.status == 203 else {
            throw ConfigError(
                .badResponse,
                "unexpected response without a document (status \(head.status)); check the address"
            )
        }
        let type = head.headers.mediaType
        if ["text/html", "application/xhtml+xml"].contains(type) || body.beginsLikeHypertext {
            let hint = "check the address, and log in if the network requires it"
            throw ConfigError(.badResponse, "expected JSON, received a web page; \(hint)")
        }
        // A compressed file that a host serves as it is.
        if body.starts(with: [0x1F, 0x8B]) {
            throw ConfigError(.badResponse, "the document is compressed; let the host send 'Content-Encoding: gzip'")
        }
        guard Self.typesOfJSON.contains(type) || type.hasSuffix("+json") else {
            let shown = head.headers["Content-Type"] ?? ""
            throw ConfigError(.badResponse, "expected application/json, received \(shown); check the address")
        }
        return body
    }

    /// Static hosts serve JSON as many things.
    private static let typesOfJSON: Set<String> = [
        "", "application/json", "text/json", "text/plain", "application/octet-stream", "binary/octet-stream",
    ]
}

extension [UInt8] {
    /// Whether the first visible character is that of a tag, as in no JSON.
    fileprivate var beginsLikeHypertext: Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = starts(with: mark) ? dropFirst(mark.count) : self[...]
        return text.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "<")
    }
}

/// The polling interval of a document, from its server's headers on freshness (RFC 9111).
enum CachingRule {
    /// The limits of the interval, whatever the server sends.
    private static let limits = Duration.seconds(5)...Duration.seconds(300)
    /// The interval without such headers.
    static let usual = Duration.seconds(30)

    /// The time until the next request; `nil` if the server does not specify it.
    ///
    /// `no-cache`, `no-store` and an `Expires` that is not a date request the latest contents, within the limits.
    /// `s-maxage` is for shared caches and does not count.
    static func statedInterval(after headers: HTTPHeaders, at now: Timestamp) -> Duration? {
        guard let freshness = freshness(of: headers, at: now) else { return nil }
        let age = headers["Age"].flatMap { Int64($0) }.map { max(0, $0) } ?? 0
        let rest = Duration.seconds(max(0, freshness - min(age, freshness)))
        return min(max(rest, limits.lowerBound), limits.upperBound)
    }

    /// The freshness lifetime of the response in seconds.
    private static func freshness(of headers: HTTPHeaders, at now: Timestamp) -> Int64? {
        let directives = (headers["Cache-Control"] ?? "").lowercased().split(separator: ",").map { directive in
            directive.split(separator: "=", maxSplits: 1).map { $0.filter { !" \t\"".contains($0) } }
        }
        if directives.contains(where: { $0 == ["no-cache"] || $0 == ["no-store"] }) { return 0 }
        if let directive = directives.first(where: { $0.first == "max-age" && $0.count == 2 }) {
            // Too many digits mean very long; no number at all means stale.
            let isNumber = !directive[1].isEmpty && directive[1].allSatisfy { $0.isASCII && $0.isNumber }
            return isNumber ? Int64(directive[1]) ?? .max : 0
        }
        guard let expires = headers["Expires"] else { return nil }
        guard let end = Timestamp(httpDate: expires) else { return 0 }
        return max(0, (end.milliseconds - headers.time(or: now).milliseconds) / 1000)
    }
}

/// The last answer of a source, if it was not usable, so that it need not be sent again while it stays the same.
private final class RejectedAnswer: Sendable {
    private let answer = Mutex<(validators: SourceValidators, error: ConfigError)?>(nil)

    var validators: SourceValidators? { answer.withLock { $0?.validators } }

    func remember(_ error: ConfigError, _ validators: SourceValidators) {
        let isMarked = validators.entityTag != nil || validators.lastModified != nil
        answer.withLock { $0 = isMarked ? (validators, error) : nil }
    }

    func forget() { answer.withLock { $0 = nil } }

    /// The error if "not modified" (304) refers to this response and not to the known good one.
    ///
    /// - Parameter tag: the entity tag of the 304. If it has none and both were sent, the match is ambiguous; this response is
    ///   then forgotten, so that the next request resolves it.
    func error(confirmedBy tag: String?, besides known: SourceValidators?) -> ConfigError? {
        answer.withLock { answer in
            guard let (rejected, error) = answer else { return nil }
            let (good, bad) = (known?.entityTag, rejected.entityTag)
            let isRejected = tag.map { Self.isSame($0, bad) } ?? (good == nil || bad != nil)
            let isCertain = tag != nil || good == nil || bad == nil
            if !isRejected || !isCertain { answer = nil }
            return isRejected ? error : nil
        }
    }

    /// Compares without strength (RFC 9110, section 8.8.3.2): a compressing proxy weakens tags.
    private static func isSame(_ left: String, _ right: String?) -> Bool {
        func opaque(_ tag: String) -> Substring.UTF8View {
            tag.utf8.starts(with: "W/".utf8) ? tag.utf8.dropFirst(2) : tag.utf8[...]
        }
        return right.map { opaque(left).elementsEqual(opaque($0)) } ?? false
    }
}
