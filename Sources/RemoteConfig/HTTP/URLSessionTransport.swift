package import ConfigModel
internal import Dispatch
internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The platform's URLSession: no cookies, no cache, no stored credentials.
///
/// libcurl, which does the work on Linux, reads the variables `http_proxy` (lower case only, as everywhere),
/// `https_proxy`, `all_proxy` and `no_proxy` by itself; on macOS the system's settings count.
package final class URLSessionTransport: HTTPTransport {
    private let allowInsecureHosts: Set<String>
    private let maximumBody: Int
    private let maximumUnread: Int
    private let events = URLSessionEvents()
    private let queue = DispatchQueue(label: "livery.http", qos: .userInitiated)
    /// Made at the first request, since a program that starts has other things to do.
    private let session = Mutex<URLSession?>(nil)

    /// Creates a transport, which costs nothing before the first request.
    ///
    /// - Parameters:
    ///   - allowInsecureHosts: the hosts beside this machine that may see a token without encryption.
    ///   - maximumBody: the most bytes of a body that is read whole.
    ///   - maximumUnread: the most bytes of a stream that may wait for their reader.
    package init(
        allowInsecureHosts: Set<String> = [],
        maximumBody: Int = ConfigDocument.maximumBytes,
        maximumUnread: Int = 32 * 1024 * 1024
    ) {
        self.allowInsecureHosts = Set(allowInsecureHosts.map { $0.lowercased() })
        self.maximumBody = maximumBody
        self.maximumUnread = maximumUnread
    }

    deinit {
        session.withLock(\.self)?.invalidateAndCancel()
    }

    /// The whole answer to a request.
    package func response(to request: HTTPRequest) async throws(ConfigError) -> HTTPResponse {
        let (exchange, head) = try await answer(to: request, maximumUnread: maximumBody)
        return HTTPResponse(head: head, body: try await exchange.body())
    }

    /// The beginning of an answer and its body as it arrives; what is not read waits, up to a limit.
    package func stream(_ request: HTTPRequest) async throws(ConfigError) -> HTTPStream {
        let (exchange, head) = try await answer(to: request, maximumUnread: maximumUnread)
        let owner = Owner(exchange: exchange)
        return HTTPStream(head: head) { () async throws(ConfigError) in try await owner.exchange.next() }
    }

    /// Ends an exchange when nobody can read from it any more.
    private final class Owner: Sendable {
        let exchange: HTTPExchange

        init(exchange: HTTPExchange) { self.exchange = exchange }

        deinit { exchange.cancel() }
    }
}

extension URLSessionTransport {
    /// Makes a request and those that redirects ask for, until there is a final head.
    private func answer(
        to request: HTTPRequest,
        maximumUnread: Int
    ) async throws(ConfigError) -> (HTTPExchange, HTTPResponseHead) {
        var request = request
        for count in 0... {
            let exchange = try begin(request, maximumUnread: maximumUnread)
            let head = try await exchange.head()
            do throws(ConfigError) {
                guard let next = try RedirectRule.next(after: head, to: request, count: count) else {
                    return (exchange, head)
                }
                exchange.cancel()
                request = next
            } catch {
                exchange.cancel()
                throw error
            }
        }
        throw .incomplete
    }

    private func begin(_ request: HTTPRequest, maximumUnread: Int) throws(ConfigError) -> HTTPExchange {
        if Task.isCancelled { throw .cancelled }
        let server = try permit(request)
        let progress = HTTPProgress(server: server, timeouts: request.timeouts, maximumUnread: maximumUnread)
        let exchange = HTTPExchange(progress)
        let task = currentSession.dataTask(with: URLRequest(request))
        events.add(exchange, for: task, server: server)
        // URLSession's cancel waits for its own thread, which may be busy or even be this one.
        exchange.onAbort { [queue] in queue.async { task.cancel() } }
        task.resume()
        watch(exchange)
        return exchange
    }

    /// - Returns: host and port, for messages.
    private func permit(_ request: HTTPRequest) throws(ConfigError) -> String {
        guard let origin = Origin(request.url) else {
            throw ConfigError(
                .invalidSource,
                "this is no web address with a host, such as https://example.com/config.json"
            )
        }
        let isPrivate = origin.isEncrypted || origin.isLoopback || allowInsecureHosts.contains(origin.host)
        guard isPrivate || request.token == nil else {
            let message =
                "the token would go to \(origin.name) without encryption; use https, or allow this host by name"
            throw ConfigError(.insecure, message)
        }
        return origin.name
    }

    private var currentSession: URLSession {
        session.withLock { session in
            if let session { return session }
            let queue = InlineOperationQueue()
            let made = URLSession(configuration: .livery, delegate: events, delegateQueue: queue)
            session = made
            return made
        }
    }

    /// Looks at the clock when the exchange may have run out of time, for as long as it lasts.
    private func watch(_ exchange: HTTPExchange) {
        guard let first = exchange.deadline(at: .now) else { return }
        let alarm = Alarm()
        alarm.start(at: first, on: queue) { [weak exchange] now in exchange?.deadline(at: now) }
        exchange.onEnd { alarm.cancel() }
    }
}

extension URLSessionConfiguration {
    fileprivate static var livery: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        // A stream holds its connection for as long as it lasts.
        configuration.httpMaximumConnectionsPerHost = 64
        // The transport keeps its own time, by the byte and not by the whole; this is ten years.
        configuration.timeoutIntervalForRequest = 315_360_000
        configuration.timeoutIntervalForResource = 315_360_000
        return configuration
    }
}

extension URLRequest {
    fileprivate init(_ request: HTTPRequest) {
        self.init(url: request.url)
        httpMethod = request.method
        httpShouldHandleCookies = false
        for (name, value) in request.headers.fields { setValue(value, forHTTPHeaderField: name) }
        setValue("livery/1.0.0", forHTTPHeaderField: "User-Agent")
        if let body = request.body { httpBody = Data(body) }
        if let token = request.token { setValue(token.authorization, forHTTPHeaderField: "Authorization") }
    }
}
