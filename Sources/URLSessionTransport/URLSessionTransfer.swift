// SPDX-License-Identifier: Apache-2.0

internal import Basics
internal import Dispatch
internal import Foundation
internal import HTTPTransport
internal import Synchronization

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A request in URLSession's hands. Its methods are called on the session's queue.
final class URLSessionTransfer: Sendable {
    let task: URLSessionDataTask
    let settings: TransportSettings
    private let exchange: HTTPExchange
    private let url: URL
    /// Host and port, for messages.
    private let server: String
    private let queue: DispatchQueue
    private let state = Mutex(State())

    private struct State {
        /// Bytes that the reader has no room for yet.
        var unread: ArraySlice<UInt8> = []
        /// The end, which follows the bytes.
        var end: Result<Void, OperationFailure>?
        var isSuspended = false
        /// When the exchange is looked at again.
        var nextLook: ContinuousClock.Instant?
    }

    init(
        _ task: URLSessionDataTask,
        _ exchange: HTTPExchange,
        of request: HTTPRequest,
        to server: String,
        by settings: TransportSettings,
        on queue: DispatchQueue
    ) {
        (self.task, self.exchange, self.server) = (task, exchange, server)
        (self.settings, self.queue) = (settings, queue)
        url = request.url
    }

    /// URLSession counts the bytes of bodies only.
    private var receivedBytes: Int { Int(task.countOfBytesReceived) }

    /// Whether the task has ended, and the reader has everything or has gone.
    var isOver: Bool {
        state.withLock { $0.end != nil } && exchange.check(at: .now).isOver
    }

    func received(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else { return }
        let fields = response.allHeaderFields.compactMap { name, value in
            (name as? String).map { (name: $0, value: "\(value)") }
        }
        let head = HTTPResponseHead(status: response.statusCode, headers: HTTPHeaders(fields), url: url)
        exchange.received(head, in: receivedBytes)
        look()
    }

    func received(_ data: Data) {
        state.withLock { $0.unread += data }
        passOn()
        look()
    }

    /// Ends the exchange: the cancellation that follows does not have the cause.
    func refusedCertificate() { exchange.end(.failure(.untrusted(server))) }

    func ended(_ error: (any Error)?) {
        state.withLock { $0.end = error.map { .failure(failure($0)) } ?? .success(()) }
        passOn()
    }

    /// Passes on what the reader has room for, and the end after the last byte.
    private func passOn() {
        while let piece = state.withLock({ $0.unread.isEmpty ? nil : $0.unread.prefix(64 * 1024) }) {
            switch exchange.received(piece, in: receivedBytes) {
            case .taken: state.withLock { $0.unread = $0.unread.dropFirst(piece.count) }
            case .refused: state.withLock { $0.unread = [] }
            case .later: return suspend(true)
            }
        }
        suspend(false)
        if let end = state.withLock(\.end) { exchange.end(end, after: receivedBytes) }
    }

    private func suspend(_ isSuspended: Bool) {
        let isNew = state.withLock { state in
            defer { state.isSuspended = isSuspended }
            return state.isSuspended != isSuspended
        }
        guard isNew else { return }
        if isSuspended { task.suspend() } else { task.resume() }
    }

    /// Cancels the task once the exchange is over, and resumes it once the reader has caught up.
    func look() {
        let now = ContinuousClock.now
        let (deadline, isOver, isPaused) = exchange.check(at: now)
        if isOver { return task.cancel() }
        if !isPaused, state.withLock({ !$0.unread.isEmpty }) { passOn() }
        guard let deadline else { return }
        let isNew = state.withLock { state in
            guard state.nextLook.map({ $0 <= now || deadline < $0 }) ?? true else { return false }
            state.nextLook = deadline
            return true
        }
        guard isNew else { return }
        let pause = deadline - now
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: pause.nanoseconds))) { [weak self] in
            self?.look()
        }
    }

    private func failure(_ error: any Error) -> OperationFailure {
        let code = (error as? URLError)?.code
        var failure = Self.failure(code, of: server)
        let codes: [URLError.Code] = [
            .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost, .notConnectedToInternet, .secureConnectionFailed,
        ]
        failure.underlying = TransportError(
            "URLSession \(code?.rawValue ?? 0): \(error.localizedDescription)",
            isBeforeRequest: code.map(codes.contains) ?? false
        )
        return failure
    }

    private static func failure(_ code: URLError.Code?, of server: String) -> OperationFailure {
        switch code {
        case .cancelled: .cancelled
        case .cannotFindHost, .dnsLookupFailed: .notFound(server)
        case .cannotConnectToHost: .notAnswering(server)
        case .notConnectedToInternet:
            OperationFailure(.unreachable, "no network connection to reach \(server); check the network")
        case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid, .userCancelledAuthentication:
            .untrusted(server)
        case .clientCertificateRequired, .clientCertificateRejected: .wantsCertificate(server)
        case .secureConnectionFailed: .failedTLS(server)
        case .cannotDecodeContentData, .cannotDecodeRawData: .notDecompressible(from: server)
        case .cannotParseResponse: .isNotHTTP(server)
        default: .cutShort(by: server)
        }
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, isOverflown) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return isOverflown ? .max : whole + attoseconds / 1_000_000_000
    }
}
