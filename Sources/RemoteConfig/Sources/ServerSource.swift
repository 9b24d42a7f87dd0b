// SPDX-License-Identifier: Apache-2.0

public import ConfigClient
public import ConfigModel
internal import ConfigWire
public import Essentials
internal import HTTPTransport

/// A namespace of a Livery server, or the preview of one of its drafts.
///
/// It reads the whole state once and later only changes, and listens to the server's events in between. A preview follows the
/// draft and the namespace, and ends with the draft: then the last values stay, and the problem of the status has the code
/// `ended` and the way in which the draft ended.
public struct ServerSource: ConfigSource {
    /// The server's address and the namespace, as in `http://127.0.0.1:3000/v1/default`, with `?draft=k3x9m2ab` for a preview.
    public let name: String
    /// The name, after the Unix socket and the hash of header fields and client certificate if there are any. A namespace
    /// has the same values for every token.
    public private(set) var identity: String
    /// The id of the draft; `nil` for the namespace.
    public let preview: String?
    /// By events; without them, by polling.
    public let delivery: SourceDelivery
    private let client: ServerClient

    /// The polling interval while there are no events from the server.
    public static let pollingInterval = Duration.seconds(30)

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - url: the server's address, without `/v1`.
    ///   - namespace: whose values.
    ///   - draft: the id of the draft that is previewed; `nil` for the namespace as it is.
    ///   - tokens: the program's credentials, called before each request and again if the token is rejected.
    ///   - allowInsecureHosts: additional hosts that may receive the token without encryption, besides this machine.
    ///   - options: how to connect, for requests and events alike.
    ///   - pollingInterval: the polling interval while there are no events from the server.
    /// - Throws: `invalidSource` if the namespace or the draft has no such name.
    public init(
        url: URL,
        namespace: String = "default",
        draft: String? = nil,
        tokens: TokenProvider = .anonymous,
        allowInsecureHosts: Set<String> = [],
        options: TransportOptions = .standard,
        pollingInterval: Duration = Self.pollingInterval
    ) throws(ConfigError) {
        let address = try ServerAddress(root: url, namespace: namespace, draft: draft)
        let transport = HTTPClient(allowInsecureHosts: allowInsecureHosts, settings: options.settings)
        let client = ServerClient(address: address, tokens: tokens, transport: transport)
        self.init(client, pollingInterval: pollingInterval)
        identity = options.identity(of: name)
    }

    /// The namespace of a client, with its credentials, and not older than the revision that the client has seen.
    package init(_ client: ServerClient, pollingInterval: Duration = Self.pollingInterval) {
        self.client = client
        (name, preview) = (client.address.name, client.address.draft)
        identity = name
        delivery = .streamed(pollingEvery: pollingInterval)
    }

    /// Fetches the changes since the known cursor, or everything.
    public func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        do throws(ConfigError) {
            let (answer, bytes) = try await client.configuration(after: known.cursor, seen: lastSeen(known))
            var reading: SourceReading
            switch answer {
            case .snapshot(let snapshot, let isReset): reading = SourceReading(.snapshot(snapshot, isReset: isReset))
            case .changes(let changes, let epoch): reading = SourceReading(.changes(changes, epoch: epoch))
            }
            reading.bytesReceived = bytes
            return reading
        } catch {
            throw error.naming(source: name)
        }
    }

    /// Listens to the server's events from the cursor that is known on.
    public func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError) {
        do throws(ConfigError) {
            try await client.follow(after: known.cursor, seen: lastSeen(known)) { news in
                switch news {
                case .received(let bytes): await receive(.received(bytes: bytes))
                case .retry(let pause): await receive(.retry(after: pause))
                case .event(let event): await receive(.server(event))
                }
            }
        } catch {
            throw error.naming(source: name)
        }
    }

    private func lastSeen(_ known: SourcePosition) -> RevisionCursor? {
        known.seen ?? (known.cursor == nil ? client.latestSeen : nil)
    }
}
