package import ConfigModel
internal import Foundation
internal import Synchronization

/// A way to servers.
///
/// A transport reports a status of any kind as an answer; what it means is for the caller to say. It throws where there
/// is no whole answer: `unreachable`, `insecure`, `badResponse`, `tooLarge`, and `cancelled` soon after the task was
/// cancelled.
package protocol Transport: Sendable {
    /// The whole answer to a request; its body has at most 8 MiB once decompressed, unless the request allows more.
    func response(to request: HTTPRequest) async throws(ConfigError) -> HTTPResponse

    /// The beginning of an answer, as soon as it is there, and then its body as it arrives.
    func stream(_ request: HTTPRequest) async throws(ConfigError) -> HTTPStream
}

/// HTTP by libcurl: no cookies, no cache, no stored credentials.
///
/// On Linux, Foundation's own URLSession is libcurl as well, but in a shape that any server could end the process with
/// (trailers after a chunked body), that decompresses gigabytes before anyone may object, and that hangs on some
/// challenges (all seen with Swift 6.3).
///
/// libcurl reads the variables `http_proxy` (lower case only, as everywhere), `https_proxy`, `all_proxy` and `no_proxy`
/// by itself.
package final class CurlTransport: Transport {
    private let allowInsecureHosts: Set<String>
    private let maximumBody: Int
    private let maximumUnread: Int
    private let proxies = ProxyRule(environment: ProcessInfo.processInfo.environment)
    /// Started at the first request, since a program that starts has other things to do.
    private let loop = Mutex<CurlLoop?>(nil)

    /// Creates a transport, which costs nothing before the first request.
    ///
    /// - Parameters:
    ///   - allowInsecureHosts: the hosts beside this machine that may see a token without encryption.
    ///   - maximumBody: the most bytes of a body that is read whole.
    ///   - maximumUnread: how many bytes of a stream may wait for their reader before the server has to wait as well.
    package init(
        allowInsecureHosts: Set<String> = [],
        maximumBody: Int = ConfigDocument.maximumBytes,
        maximumUnread: Int = 256 * 1024
    ) {
        self.allowInsecureHosts = Set(allowInsecureHosts.map { $0.lowercased() })
        self.maximumBody = maximumBody
        self.maximumUnread = maximumUnread
    }

    deinit {
        loop.withLock(\.self)?.close()
    }

    /// The whole answer to a request.
    package func response(to request: HTTPRequest) async throws(ConfigError) -> HTTPResponse {
        let limit = HTTPProgress.Limit.refuse(above: maximumBody, unless: request.allowedSize)
        let answer = try await answer(to: request, limit: limit)
        return HTTPResponse(head: answer.head, body: try await answer.exchange.body())
    }

    /// The beginning of an answer and its body as it arrives.
    package func stream(_ request: HTTPRequest) async throws(ConfigError) -> HTTPStream {
        let answer = try await answer(to: request, limit: .pause(at: maximumUnread))
        return HTTPStream(head: answer.head) { () async throws(ConfigError) in try await answer.exchange.next() }
    }

    /// An exchange with its head, which ends when nobody can read from it any more.
    private final class Answer: Sendable {
        let exchange: HTTPExchange
        let head: HTTPResponseHead
        /// Kept, so that a stream outlives the caller's interest in the transport.
        private let transport: CurlTransport

        init(_ exchange: HTTPExchange, by transport: CurlTransport) async throws(ConfigError) {
            self.exchange = exchange
            self.transport = transport
            head = try await exchange.head()
        }

        deinit { exchange.cancel() }
    }
}

extension CurlTransport {
    /// Makes a request and those that redirects ask for, until there is a final head.
    private func answer(
        to request: HTTPRequest,
        limit: HTTPProgress.Limit
    ) async throws(ConfigError) -> Answer {
        var request = request
        var count = 0
        while true {
            let answer = try await Answer(begin(request, limit: limit), by: self)
            guard let next = try RedirectRule.next(after: answer.head, to: request, count: count) else { return answer }
            request = next
            count += 1
        }
    }

    private func begin(_ request: HTTPRequest, limit: HTTPProgress.Limit) throws(ConfigError) -> HTTPExchange {
        if Task.isCancelled { throw .cancelled }
        let server = try permit(request)
        let loop = try currentLoop()
        let proxy = Origin(request.url).flatMap(proxies.proxy)
        let name = proxy.map { "\(server) behind the proxy \($0)" } ?? server
        let progress = HTTPProgress(server: name, timeouts: request.timeouts, limit: limit)
        let exchange = HTTPExchange(progress) { loop.wake() }
        loop.start(request, by: proxy, exchange)
        return exchange
    }

    /// - Returns: host and port, for messages.
    private func permit(_ request: HTTPRequest) throws(ConfigError) -> String {
        guard let origin = Origin(request.url) else {
            let message = "this is no web address with a host, such as https://example.com/config.json"
            throw ConfigError(.invalidSource, message)
        }
        guard request.url.user == nil, request.url.password == nil else {
            throw ConfigError(
                .invalidSource,
                "the address of \(origin.name) holds a user or a password; leave them out"
            )
        }
        let isPrivate = origin.isEncrypted || origin.isLoopback || allowInsecureHosts.contains(origin.host)
        guard isPrivate || request.authorization == nil else {
            let message =
                "the token would go to \(origin.name) without encryption; use https, or allow this host by name"
            throw ConfigError(.insecure, message)
        }
        return origin.name
    }

    private func currentLoop() throws(ConfigError) -> CurlLoop {
        try loop.withLock { (loop) throws(ConfigError) in
            if let loop { return loop }
            let made = try CurlLoop()
            loop = made
            return made
        }
    }
}
