// SPDX-License-Identifier: Apache-2.0

public import ConfigClient
public import ConfigModel
internal import ConfigRules
internal import ConfigWire
public import Essentials
internal import HTTPTransport

/// The flags of any server that supports OpenFeature's remote evaluation protocol (OFREP), such as flagd, GO Feature Flag or
/// another Livery server.
///
/// ```swift
/// let source = try OFREPSource(url: URL(string: "https://flags.example.com")!)
/// let service = RemoteConfigService(source: source, context: EvaluationContext(targetingKey: "user-42"))
/// ```
///
/// The server evaluates the flags, so each request contains the context of the service
/// (``RemoteConfigService/setContext(_:)``); with every other source the context stays in the program. A flag with a value is
/// an entry under its key. For one without a value, such as a disabled flag, the program's own default applies. If some flags
/// cannot be evaluated, the others are used, and the status has the error.
///
/// The server is polled for all flags every 30 s, and reports if nothing has changed (`ETag`).
public struct OFREPSource: ConfigSource {
    /// The URL of the requests, such as `https://flags.example.com/ofrep/v1/evaluate/flags`.
    public var name: String { url.absoluteString }
    /// The address, after the Unix socket and the hash of header fields, client certificate and account
    /// (`TokenProvider`) if there are any.
    public var identity: String { options.identity(of: "ofrep \(name)", account: account) }
    /// `true`: the server evaluates.
    public var dependsOnContext: Bool { true }
    /// By polling, every 30 s.
    public var delivery: SourceDelivery { .polled(every: CachingRule.usual) }
    private let url: URL
    private let options: TransportOptions
    private let account: String?
    private let transport: AuthorizedTransport

    /// Creates a source without making a request.
    ///
    /// - Parameters:
    ///   - url: the server's address, without `/ofrep`.
    ///   - tokens: the program's credentials, called before each request and again if the token is rejected.
    ///   - allowInsecureHosts: additional hosts that may receive the token without encryption, besides this machine.
    ///   - options: how to connect.
    /// - Throws: `invalidSource` for an address with a user, a password, a query or a fragment.
    public init(
        url: URL,
        tokens: TokenProvider = .anonymous,
        allowInsecureHosts: Set<String> = [],
        options: TransportOptions = .standard
    ) throws(ConfigError) {
        guard Origin(url) != nil, url.user == nil, url.password == nil, url.query == nil, url.fragment == nil else {
            let message =
                """
                invalid server address; expected a URL such as https://flags.example.com; pass the token with a \
                TokenProvider
                """
            throw ConfigError(.invalidSource, message, source: Origin(url)?.name)
        }
        self.url = url.appending(path: String(WireRoute.flags.path.dropFirst()))
        (self.options, account) = (options, tokens.account)
        let transport = HTTPClient(allowInsecureHosts: allowInsecureHosts, settings: options.settings)
        self.transport = AuthorizedTransport(transport: transport, tokens: tokens)
    }

    /// Fetches all flags, or checks whether any has changed since the known state.
    ///
    /// - Throws: the error of the transport and the status; `badResponse` for a response outside this protocol.
    public func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        do throws(ConfigError) {
            let tag = known.validators?.entityTag
            let body = OFREPRequest.json(context: (known.context ?? EvaluationContext()).members)
            var request = HTTPRequest(url: url, method: "POST", body: body)
            request.headers["Content-Type"] = "application/json"
            request.headers["Accept"] = "application/json"
            request.headers["If-None-Match"] = tag
            let response = try await transport.response(to: request)
            do throws(ConfigError) {
                return try reading(of: response, knowing: tag)
            } catch {
                throw error.counting(bytes: response.receivedBytes)
            }
        } catch {
            throw error.namingIfUnnamed(source: name)
        }
    }

    private func reading(of response: HTTPResponse, knowing tag: String?) throws(ConfigError) -> SourceReading {
        var reading = SourceReading(.unchanged)
        reading.bytesReceived = response.receivedBytes
        let headers = response.head.headers
        if response.head.status == 304, tag != nil {
            reading.validators = SourceValidators(entityTag: headers["ETag"] ?? tag)
            return reading
        }
        if let error = OFREPFailure.refusal(in: response) { throw error }
        let answer = try OFREPFlags(json: response.json())
        reading.content = .entries(answer.entries(from: name, at: .now))
        reading.problem = answer.problem
        reading.validators = headers["ETag"].map { SourceValidators(entityTag: $0) }
        return reading
    }
}

extension OFREPFlags {
    /// The flags as entries of a source.
    func entries(from source: String, at now: Timestamp) -> ConfigEntries {
        var entries = ConfigEntries()
        for (key, value) in values {
            entries[key] = ConfigEntry(value: value, source: source, changedAt: now)
        }
        return entries
    }

    /// The error of the first flag without a usable value.
    var problem: ConfigError? {
        guard let first = failures.first else { return nil }
        let (key, reason) = (first.key.excerpt(ofScalars: 130), first.reason.excerpt(ofScalars: 300))
        return ConfigError(.unsupportedValue, "the flag '\(key)' has no value: \(reason)").standing(for: failures.count)
    }
}

extension OFREPFailure {
    /// The error of a server that refuses the request itself; `nil` if it does not.
    static func refusal(in response: HTTPResponse) -> ConfigError? {
        guard response.head.status == 400, response.head.headers.mediaType == "application/json",
            // Anything else is an answer that the status alone explains.
            let failure = try? OFREPFailure(json: response.body)
        else { return nil }
        return ConfigError(.rejected, "the server rejected the context: \(failure.reason.excerpt(ofScalars: 300))")
    }
}
