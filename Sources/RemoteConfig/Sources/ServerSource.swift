// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import ConfigWire
public import Essentials
internal import HTTPTransport

/// A namespace of a Livery server.
///
/// It reads the whole state once and then what has changed, and listens to the server's events in between.
public struct ServerSource: ConfigSource {
    /// The server's address and the namespace, as in `http://127.0.0.1:3000/v1/default`.
    public let name: String
    /// The name, after the Unix socket and the hash of header fields and client certificate if there are any. A namespace
    /// has the same values for every token.
    public private(set) var identity: String
    /// By events; while they do not come, by asking.
    public let delivery: SourceDelivery
    private let client: ServerClient

    /// How often a server is asked while its events do not come.
    public static let pollingInterval = Duration.seconds(30)

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - url: the server's address, without `/v1`.
    ///   - namespace: whose values.
    ///   - tokens: what the server knows the program by, asked before each request and again if it is refused.
    ///   - allowInsecureHosts: hosts beside this machine that may see the token without encryption.
    ///   - options: how to connect, for requests and events alike.
    ///   - pollingInterval: how often the server is asked while its events do not come.
    /// - Throws: `invalidSource` if the namespace has no such name.
    public init(
        url: URL,
        namespace: String = NamespaceRule.standard,
        tokens: TokenProvider = .fixed(nil),
        allowInsecureHosts: Set<String> = [],
        options: TransportOptions = .standard,
        pollingInterval: Duration = Self.pollingInterval
    ) throws(ConfigError) {
        let address = try ServerAddress(root: url, namespace: namespace)
        let transport = CurlTransport(allowInsecureHosts: allowInsecureHosts, settings: options.settings)
        let client = ServerClient(address: address, tokens: tokens, transport: transport)
        self.init(client, pollingInterval: pollingInterval)
        identity = options.identity(of: name)
    }

    /// The namespace of a client, by the same right, and not from before what the client has seen.
    package init(_ client: ServerClient, pollingInterval: Duration = Self.pollingInterval) {
        self.client = client
        name = client.address.name
        identity = name
        delivery = .streamed(pollingEvery: pollingInterval)
    }

    /// Asks for what has changed since the cursor that is known, or for everything.
    public func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        do throws(ConfigError) {
            let request = client.configurationRequest(after: known.cursor, seen: lastSeen(known))
            let response = try await client.transport.response(to: request)
            do throws(ConfigError) {
                return try Self.reading(of: response)
            } catch {
                throw error.counting(bytes: response.receivedBytes)
            }
        } catch {
            throw error.naming(source: name)
        }
    }

    private static func reading(of response: HTTPResponse) throws(ConfigError) -> SourceReading {
        try response.head.check(isOf: "application/json")
        var reading: SourceReading
        switch try ConfigAnswer(json: response.body) {
        case .snapshot(let snapshot, let isReset): reading = SourceReading(.snapshot(snapshot, isReset: isReset))
        case .changes(let changes, let epoch): reading = SourceReading(.changes(changes, epoch: epoch))
        }
        reading.bytesReceived = response.receivedBytes
        return reading
    }

    /// Listens to the server's events from the cursor that is known on.
    public func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError) {
        do throws(ConfigError) {
            let request = client.eventsRequest(after: known.cursor, seen: lastSeen(known))
            let stream = try await client.transport.stream(request)
            try stream.head.check(isOf: "text/event-stream")
            try await Self.deliver(stream, to: receive)
        } catch {
            throw error.naming(source: name)
        }
    }

    private func lastSeen(_ known: SourcePosition) -> Cursor? {
        known.seen ?? (known.cursor == nil ? client.latestSeen : nil)
    }

    private static func deliver(_ stream: HTTPStream, to receive: SourceReceiver) async throws(ConfigError) {
        let largest = max(EventStreamParser.usualMaximum, AnnouncedSize.stated(in: stream.head.headers) ?? 0)
        var parser = EventStreamParser(maximumBytes: largest)
        var retry: Duration?
        while let bytes = try await ConfigError.catching(awaiting: try await stream.next()) {
            await receive(.received(bytes: bytes.count))
            let events = try ConfigError.catching(try parser.events(in: bytes))
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
}
