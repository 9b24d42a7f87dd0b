// SPDX-License-Identifier: Apache-2.0

internal import Basics
internal import Dispatch
internal import Foundation
package import HTTPTransport
internal import Synchronization

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// HTTP by URLSession, for platforms without libcurl.
///
/// The system's proxies apply. Of the settings it supports the headers, the user agent and, on Apple's platforms, the
/// certificate authority; a request with any other setting fails with `invalidOption`.
package final class URLSessionConnector: HTTPConnector {
    private let reads = SessionOwner()
    /// The owners of the writes that have not ended.
    private let writes = Mutex<[ObjectIdentifier: SessionOwner]>([:])

    package init() {}

    package func begin(
        _ request: HTTPRequest,
        by settings: TransportSettings,
        _ progress: HTTPProgress
    ) -> HTTPExchange {
        if let option = settings.optionWithoutURLSession {
            let exchange = HTTPExchange(progress) {}
            let message = "URLSession does not support \(option); remove it"
            exchange.end(.failure(OperationFailure(.invalidOption, message)))
            return exchange
        }
        if ["GET", "HEAD"].contains(request.method) { return reads.begin(request, by: settings, progress) }
        // On a connection that was used before, URLSession may send a write again, and it would be done twice.
        let write = SessionOwner { [weak self] in self?.forget($0) }
        writes.withLock { $0[write.id] = write }
        defer { write.session.finishTasksAndInvalidate() }
        return write.begin(request, by: settings, progress)
    }

    private func forget(_ write: ObjectIdentifier) { _ = writes.withLock { $0.removeValue(forKey: write) } }

    package func close() {
        for owner in [reads] + writes.withLock({ Array($0.values) }) { owner.close() }
    }
}

extension TransportSettings {
    /// The name of a setting that URLSession would ignore.
    fileprivate var optionWithoutURLSession: String? {
        #if !canImport(Security)
            if certificateAuthority != nil { return "a custom certificate authority" }
        #endif
        if !pinnedPublicKeys.isEmpty { return "pinned public keys" }
        if clientIdentity != nil { return "a client certificate" }
        if proxy != nil { return "a proxy" }
        return unixSocket == nil ? nil : "a Unix socket"
    }
}

/// A session and its transfers, whose delegate calls arrive on one queue.
private final class SessionOwner: Sendable {
    let session: URLSession
    private let delegate: SessionDelegate

    /// The identity, which ``init(didEnd:)`` passes on.
    var id: ObjectIdentifier { ObjectIdentifier(delegate) }

    /// - Parameter didEnd: Called at the end of the session, with the owner's identity.
    init(didEnd: @escaping @Sendable (ObjectIdentifier) -> Void = { _ in }) {
        delegate = SessionDelegate(didEnd: didEnd)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        // The exchange has its own timeouts, and a stream has no end.
        configuration.timeoutIntervalForRequest = 365 * 86_400
        configuration.timeoutIntervalForResource = 365 * 86_400
        let queue = OperationQueue()
        queue.underlyingQueue = delegate.queue
        queue.maxConcurrentOperationCount = 1
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }

    func begin(_ request: HTTPRequest, by settings: TransportSettings, _ progress: HTTPProgress) -> HTTPExchange {
        var sent = URLRequest(url: request.url, cachePolicy: .reloadIgnoringLocalCacheData)
        sent.httpMethod = request.method
        sent.httpShouldHandleCookies = false
        sent.httpBody = request.body.map { Data($0) }
        for (name, value) in request.fields(by: settings, canDecompress: true).fields {
            sent.setValue(value, forHTTPHeaderField: name)
        }
        let task = session.dataTask(with: sent)
        let exchange = HTTPExchange(progress) { [delegate, task] in delegate.look(at: task) }
        let server = progress.server
        delegate.add(URLSessionTransfer(task, exchange, of: request, to: server, by: settings, on: delegate.queue))
        task.resume()
        return exchange
    }

    /// Cancels what has not ended. On Linux `invalidateAndCancel` would look for it while ended tasks are being removed.
    func close() {
        delegate.cancelTasks()
        session.finishTasksAndInvalidate()
    }
}

/// Passes the calls of a session on to its transfers.
private final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    let queue = DispatchQueue(label: "livery.urlsession")
    private let transfers = Mutex<[Int: URLSessionTransfer]>([:])
    private let didEnd: @Sendable (ObjectIdentifier) -> Void

    init(didEnd: @escaping @Sendable (ObjectIdentifier) -> Void) { self.didEnd = didEnd }

    func add(_ transfer: URLSessionTransfer) {
        transfers.withLock { $0[transfer.task.taskIdentifier] = transfer }
        look(at: transfer.task)
    }

    func cancelTasks() {
        for transfer in transfers.withLock({ Array($0.values) }) { transfer.task.cancel() }
    }

    /// The reader of a task has accepted the bytes that were waiting, or has gone.
    func look(at task: URLSessionTask) {
        guard let transfer = transfer(of: task) else { return }
        queue.async {
            transfer.look()
            if transfer.isOver { self.transfers.withLock { $0[task.taskIdentifier] = nil } }
        }
    }

    private func transfer(of task: URLSessionTask) -> URLSessionTransfer? {
        transfers.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        didEnd(ObjectIdentifier(self))
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        transfer(of: dataTask)?.received(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        transfer(of: dataTask)?.received(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        transfer(of: task)?.ended(error)
        look(at: task)
    }

    /// `HTTPClient` follows redirects by its own rules.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(nil) }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(Security)
            let space = challenge.protectionSpace
            if space.authenticationMethod == NSURLAuthenticationMethodServerTrust, let trust = space.serverTrust {
                guard let authority = transfer(of: task)?.settings.certificateAuthority else {
                    return completionHandler(.performDefaultHandling, nil)
                }
                guard authority.hasSigned(trust) else {
                    transfer(of: task)?.refusedCertificate()
                    return completionHandler(.cancelAuthenticationChallenge, nil)
                }
                return completionHandler(.useCredential, URLCredential(trust: trust))
            }
        #endif
        // The answer, such as 401, is the caller's.
        completionHandler(.rejectProtectionSpace, nil)
    }
}
