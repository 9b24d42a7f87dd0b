public import ConfigModel
public import Foundation

/// A namespace of a Livery server.
///
/// It reads the whole state once and then what has changed, and listens to the server's events in between.
public struct ServerSource: ConfigSource {
    /// The server's address and the namespace, as in `http://127.0.0.1:3000/v1/default`.
    public let name: String
    /// By events; while they do not come, by asking.
    public let delivery: SourceDelivery
    private let endpoint: URL
    private let tokens: TokenProvider
    /// What the program has seen of the server's history before.
    private let seen: Cursor?
    private let transport: any HTTPTransport

    /// How often a server is asked while its events do not come.
    public static let pollingInterval = Duration.seconds(30)

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - url: the server's address, without `/v1`.
    ///   - namespace: whose values.
    ///   - token: what the server knows the program by, if it asks for that.
    ///   - allowInsecureHosts: hosts beside this machine that may see the token without encryption.
    ///   - pollingInterval: how often the server is asked while its events do not come.
    /// - Throws: `invalidSource` if the namespace has no such name.
    public init(
        url: URL,
        namespace: String = ConfigNamespace.standard,
        token: BearerToken? = nil,
        allowInsecureHosts: Set<String> = [],
        pollingInterval: Duration = Self.pollingInterval
    ) throws(ConfigError) {
        try self.init(
            url: url,
            namespace: namespace,
            tokens: .fixed(token),
            allowInsecureHosts: allowInsecureHosts,
            pollingInterval: pollingInterval
        )
    }

    /// Creates a source whose token may change while the program runs.
    ///
    /// - Parameters:
    ///   - url: the server's address, without `/v1`.
    ///   - namespace: whose values.
    ///   - tokens: what the server knows the program by, asked before each request.
    ///   - allowInsecureHosts: hosts beside this machine that may see the token without encryption.
    ///   - pollingInterval: how often the server is asked while its events do not come.
    /// - Throws: `invalidSource` if the namespace has no such name.
    public init(
        url: URL,
        namespace: String = ConfigNamespace.standard,
        tokens: TokenProvider,
        allowInsecureHosts: Set<String> = [],
        pollingInterval: Duration = Self.pollingInterval
    ) throws(ConfigError) {
        try self.init(
            url: url,
            namespace: namespace,
            tokens: tokens,
            pollingInterval: pollingInterval,
            transport: CurlTransport(allowInsecureHosts: allowInsecureHosts)
        )
    }

    package init(
        url: URL,
        namespace: String = ConfigNamespace.standard,
        tokens: TokenProvider = .fixed(nil),
        pollingInterval: Duration = Self.pollingInterval,
        seen: Cursor? = nil,
        transport: any HTTPTransport
    ) throws(ConfigError) {
        if let problem = ConfigNamespace.problem(in: namespace) {
            throw ConfigError(.invalidSource, "the namespace \(problem)", source: url.absoluteString)
        }
        endpoint = url.appending(path: "v1").appending(path: namespace)
        name = endpoint.absoluteString
        delivery = .streamed(pollingEvery: pollingInterval)
        self.tokens = tokens
        self.seen = seen
        self.transport = transport
    }

    /// Asks for what has changed since the cursor that is known, or for everything.
    public func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        do throws(ConfigError) {
            let response = try await transport.response(to: request(after: known))
            return try reading(of: response)
        } catch {
            throw error.naming(source: name)
        }
    }

    /// Listens to the server's events from the cursor that is known on.
    public func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError) {
        do throws(ConfigError) {
            let stream = try await transport.stream(eventsRequest(after: known))
            try Self.check(stream.head, type: "text/event-stream")
            try await Self.deliver(stream, to: receive)
        } catch {
            throw error.naming(source: name)
        }
    }

    private static func deliver(_ stream: HTTPStream, to receive: SourceReceiver) async throws(ConfigError) {
        let largest = max(EventStreamParser.usualMaximum, AnnouncedSize.stated(in: stream.head.headers) ?? 0)
        var parser = EventStreamParser(maximumBytes: largest)
        var retry: Duration?
        while let bytes = try await stream.next() {
            await receive(.alive)
            let events = try parser.events(in: bytes)
            if let pause = parser.retry, pause != retry {
                retry = pause
                await receive(.retry(after: pause))
            }
            for event in events {
                // An event that only newer programs know changes nothing for this one.
                if let event = try StreamEvent(name: event.name, data: Array(event.data.utf8)) {
                    await receive(.server(event))
                }
            }
        }
    }

    private func request(after known: SourcePosition) throws(ConfigError) -> HTTPRequest {
        var url = endpoint.appending(path: "config")
        if let cursor = known.cursor {
            url.append(queryItems: [
                URLQueryItem(name: "epoch", value: cursor.epoch.description),
                URLQueryItem(name: "after", value: String(cursor.revision)),
            ])
        }
        var request = HTTPRequest(url: url, headers: ["Accept": "application/json"], token: try tokens.token())
        request.headers[Cursor.fieldName] = lastSeen(known)?.description
        request.takesAnnouncedSize = true
        return request
    }

    private func lastSeen(_ known: SourcePosition) -> Cursor? {
        known.seen ?? (known.cursor == nil ? seen : nil)
    }

    private func eventsRequest(after known: SourcePosition) throws(ConfigError) -> HTTPRequest {
        let token = try tokens.token()
        var request = HTTPRequest(url: endpoint.appending(path: "events"), token: token, timeouts: .stream)
        request.headers["Accept"] = "text/event-stream"
        request.headers["Cache-Control"] = "no-store"
        request.headers["Last-Event-ID"] = known.cursor?.description
        request.headers[Cursor.fieldName] = lastSeen(known)?.description
        return request
    }

    private func reading(of response: HTTPResponse) throws(ConfigError) -> SourceReading {
        try Self.check(response.head, type: "application/json")
        switch try ConfigAnswer(json: response.body) {
        case .snapshot(let snapshot, let isReset):
            return SourceReading(.snapshot(snapshot, isReset: isReset))
        case .changes(let changes, let epoch):
            return SourceReading(.changes(changes, epoch: epoch))
        }
    }

    /// A captive portal answers everything with a page of its own, and with 200.
    private static func check(_ head: HTTPResponseHead, type: String) throws(ConfigError) {
        if let problem = head.problem() { throw problem }
        let found = head.headers["Content-Type"]?.split(separator: ";").first.map(String.init) ?? ""
        guard found.lowercased().trimmingCharacters(in: .whitespaces) == type else {
            let message = "what answers is no Livery server; check the address, and whether the network wants a login"
            throw ConfigError(.badResponse, message)
        }
    }
}
