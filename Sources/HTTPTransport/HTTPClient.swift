// SPDX-License-Identifier: Apache-2.0

package import Basics
internal import Essentials
internal import Synchronization

/// The library that sends requests and receives answers: libcurl, or URLSession where there is none.
package protocol HTTPConnector: AnyObject, Sendable {
    /// Begins a request. What arrives goes to the exchange, redirects included.
    ///
    /// - Parameter progress: the progress of the exchange, which begins.
    func begin(_ request: HTTPRequest, by settings: TransportSettings, _ progress: HTTPProgress) -> HTTPExchange

    /// Ends all exchanges.
    func close()
}

/// HTTP without cookies, cache and stored credentials.
///
/// Every status is a response; the caller interprets it. Without a complete response there is an error: `unreachable`,
/// `insecure`, `badResponse`, `tooLarge`, or `cancelled` soon after the task was cancelled.
package final class HTTPClient: Sendable {
    private let allowInsecureHosts: Set<String>
    private let maximumBody: Int
    private let settings: TransportSettings
    private let makeConnector: @Sendable () throws(OperationFailure) -> any HTTPConnector
    /// Started at the first request, since a program that starts has other things to do.
    private let connector = Mutex<(any HTTPConnector)?>(nil)

    /// The number of unread bytes of a stream beyond which the server has to wait.
    private static let maximumUnread = 256 * 1024

    /// - Parameters:
    ///   - allowInsecureHosts: additional hosts that may receive a token without encryption, besides this machine.
    ///   - maximumBody: the maximum size of a body that is read whole, in bytes.
    ///   - settings: how to connect, and what to show.
    ///   - connector: makes what sends the requests.
    package init(
        allowInsecureHosts: Set<String> = [],
        maximumBody: Int = 8 * 1024 * 1024,
        settings: TransportSettings = TransportSettings(),
        connector: @escaping @Sendable () throws(OperationFailure) -> any HTTPConnector
    ) {
        self.allowInsecureHosts = Set(allowInsecureHosts.map { $0.lowercased() })
        (self.maximumBody, self.settings, makeConnector) = (maximumBody, settings, connector)
    }

    deinit { connector.withLock(\.self)?.close() }

    /// The whole answer to a request, unless its body is larger than the transport and the request allow.
    package func response(to request: HTTPRequest) async throws(OperationFailure) -> HTTPResponse {
        let limit = HTTPProgress.Limit.refuse(above: maximumBody, unless: request.allowedSize)
        let stream = try await stream(request, limit: limit)
        do throws(OperationFailure) {
            let body = try await stream.rest()
            return HTTPResponse(head: stream.head, body: body, receivedBytes: stream.receivedBytes)
        } catch {
            throw error.counting(bytes: stream.receivedBytes)
        }
    }

    /// The beginning of an answer, as soon as it is there, and then its body as it arrives.
    package func stream(_ request: HTTPRequest) async throws(OperationFailure) -> HTTPStream {
        try await stream(request, limit: .pause(at: Self.maximumUnread))
    }
}

/// A response whose body arrives in pieces. It has one reader, and ends when it is released.
package final class HTTPStream: Sendable {
    package let head: HTTPResponseHead
    private let exchange: HTTPExchange
    /// Kept, so that a stream outlives the caller's interest in the client.
    private let client: HTTPClient

    fileprivate init(_ exchange: HTTPExchange, by client: HTTPClient) async throws(OperationFailure) {
        (self.exchange, self.client) = (exchange, client)
        head = try await exchange.head()
    }

    deinit { exchange.cancel() }

    /// The number of bytes received so far, head and body, before decompression; those of redirects are not counted.
    package var receivedBytes: Int { exchange.receivedBytes }

    /// The next bytes, never none; `nil` at the end.
    package func next() async throws(OperationFailure) -> [UInt8]? { try await exchange.next() }

    fileprivate func rest() async throws(OperationFailure) -> [UInt8] { try await exchange.body() }
}

extension HTTPClient {
    /// Makes a request and follows its redirects until a final response head arrives.
    private func stream(
        _ request: HTTPRequest,
        limit: HTTPProgress.Limit
    ) async throws(OperationFailure) -> HTTPStream {
        var request = request
        let home = Origin(request.url)
        var count = 0
        var hasLeft = false
        while true {
            let isHome = Origin(request.url) == home
            hasLeft = hasLeft || !isHome
            let settings = !isHome ? settings.forOtherOrigins : hasLeft ? settings.forReturn : settings
            let stream = try await HTTPStream(begin(request, by: settings, limit: limit), by: self)
            guard let next = try RedirectRule.next(after: stream.head, to: request, count: count) else { return stream }
            request = next
            count += 1
        }
    }

    private func begin(
        _ request: HTTPRequest,
        by settings: TransportSettings,
        limit: HTTPProgress.Limit
    ) throws(OperationFailure) -> HTTPExchange {
        if Task.isCancelled { throw .cancelled }
        let server = try permit(request, by: settings)
        let connector = try currentConnector()
        let progress = HTTPProgress(server: server, timeouts: request.timeouts, limit: limit)
        return connector.begin(request, by: settings, progress)
    }

    /// - Returns: host and port, for messages.
    private func permit(_ request: HTTPRequest, by settings: TransportSettings) throws(OperationFailure) -> String {
        guard let origin = Origin(request.url) else {
            let message = "invalid URL; expected a URL with a host, such as https://example.com/config.json"
            throw OperationFailure(.invalidSource, message)
        }
        guard request.url.user == nil, request.url.password == nil else {
            throw OperationFailure(
                .invalidSource,
                "the URL of \(origin.name) contains a user or a password; remove them"
            )
        }
        if let loss = settings.lossWithoutEncryption(to: origin) {
            throw OperationFailure(.insecure, "\(loss), but the URL is not encrypted; use https")
        }
        let isPrivate =
            origin.isEncrypted || settings.staysOnThisMachine(origin) || allowInsecureHosts.contains(origin.host)
        guard isPrivate || request.authorization == nil else {
            let message =
                "refusing to send the token to \(origin.name) without encryption; use https, or allow this host"
            throw OperationFailure(.insecure, message)
        }
        return origin.name
    }

    private func currentConnector() throws(OperationFailure) -> any HTTPConnector {
        try connector.withLock { (connector) throws(OperationFailure) in
            if let connector { return connector }
            let made = try makeConnector()
            connector = made
            return made
        }
    }
}
