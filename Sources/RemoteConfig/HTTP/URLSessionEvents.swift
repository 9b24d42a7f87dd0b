internal import ConfigModel
internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Hands what URLSession reports to the exchange that it is about.
///
/// It is called on URLSession's own thread (see ``InlineOperationQueue``).
final class URLSessionEvents: NSObject, URLSessionDataDelegate {
    private let exchanges = Mutex<[Int: Entry]>([:])

    private struct Entry {
        let exchange: HTTPExchange
        let server: String
    }

    /// - Parameter server: host and port, for messages.
    func add(_ exchange: HTTPExchange, for task: URLSessionTask, server: String) {
        exchanges.withLock { $0[task.taskIdentifier] = Entry(exchange: exchange, server: server) }
    }

    private func exchange(of task: URLSessionTask) -> HTTPExchange? {
        exchanges.withLock { $0[task.taskIdentifier]?.exchange }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse, let head = HTTPResponseHead(response) {
            exchange(of: dataTask)?.received(head)
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.received(data)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        exchange(of: task)?.sent()
    }

    /// Redirects are the transport's to follow. swift-corelibs-foundation ends the process when a task is cancelled
    /// between this call and its answer, so from the answer on the task is left alone until it has ended, and where it
    /// is being cancelled already there is no answer.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        if exchange(of: task)?.commit() == true { completionHandler(nil) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let entry = exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        entry.exchange.ended(with: error.map { ConfigError(transport: $0, server: entry.server) })
    }
}

extension HTTPResponseHead {
    fileprivate init?(_ response: HTTPURLResponse) {
        guard let url = response.url else { return nil }
        let fields = response.allHeaderFields.compactMap { field -> (name: String, value: String)? in
            guard let name = field.key as? String, let value = field.value as? String else { return nil }
            return (name, value)
        }
        self.init(status: response.statusCode, headers: HTTPHeaders(fields), url: url)
    }
}

extension ConfigError {
    /// What URLSession reports, in words. Its own are not for users, and may contain the address with its secrets.
    fileprivate init(transport error: any Error, server: String) {
        let code = (error as? URLError)?.code ?? URLError.Code(rawValue: (error as NSError).code)
        switch code {
        case .cancelled:
            self = .cancelled
        case .cannotFindHost, .dnsLookupFailed:
            self.init(.unreachable, "\(server) cannot be found; check the name and the network")
        case .cannotConnectToHost:
            self.init(.unreachable, "nothing answers at \(server); check that the server runs and the address is right")
        case .timedOut:
            self.init(.unreachable, "\(server) does not answer in time")
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired:
            self.init(.insecure, "the identity of \(server) cannot be trusted; check its certificate and this clock")
        default:
            self.init(.unreachable, "the connection to \(server) broke off before the answer was complete")
        }
        underlying = error
    }
}
