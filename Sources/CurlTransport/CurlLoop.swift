// SPDX-License-Identifier: Apache-2.0

package import Basics
internal import CCurl
internal import Dispatch
internal import Essentials
package import HTTPTransport
internal import Synchronization

/// The thread on which libcurl works, a queue's own: asleep in the kernel unless something arrives, starts, ends or is overdue.
///
/// libcurl reads the variables `http_proxy` (lower case only), `https_proxy`, `all_proxy` and `no_proxy` by itself, unless the
/// settings have a proxy.
package final class CurlLoop: Sendable {
    /// Used on the loop's thread only, but for `livery_curl_multi_wakeup`, which is for others.
    nonisolated(unsafe) private let multi: UnsafeMutableRawPointer
    /// The TLS sessions, used on the loop's thread only.
    nonisolated(unsafe) private let sessions: UnsafeMutableRawPointer
    private let inbox = Mutex(Inbox())
    private let proxies = ProxyRule(environment: ProcessInfo.processInfo.environment)

    private struct Inbox {
        var new: [(request: HTTPRequest, route: CurlRoute, exchange: HTTPExchange)] = []
        var isClosing = false
        var isClosed = false
    }

    /// Starts the thread, which lasts until ``close()``.
    package init() throws(OperationFailure) {
        guard livery_curl_load() != 0 else {
            throw OperationFailure(
                .unreachable,
                "libcurl not found; install it (Debian: libcurl4)"
            )
        }
        guard let multi = livery_curl_multi_init(), let sessions = livery_curl_share_init() else {
            throw OperationFailure(
                .unreachable,
                "cannot initialize libcurl; check the available memory and the open file limit"
            )
        }
        (self.multi, self.sessions) = (multi, sessions)
        DispatchQueue(label: "livery.curl").async { self.run() }
    }

    private func wake() {
        inbox.withLock { inbox in
            if !inbox.isClosed { livery_curl_multi_wakeup(multi) }
        }
    }
}

extension CurlLoop: HTTPConnector {
    package func begin(
        _ request: HTTPRequest,
        by settings: TransportSettings,
        _ progress: HTTPProgress
    ) -> HTTPExchange {
        let route = CurlRoute(to: Origin(request.url), by: settings, else: proxies)
        var progress = progress
        if let proxy = route.proxy { progress.server += " behind the proxy \(proxy)" }
        let exchange = HTTPExchange(progress) { self.wake() }
        inbox.withLock { $0.new.append((request, route, exchange)) }
        wake()
        return exchange
    }

    /// Ends all exchanges and the thread.
    package func close() {
        inbox.withLock { $0.isClosing = true }
        wake()
    }
}

// The thread's side.
extension CurlLoop {
    private func run() {
        var transfers: [UnsafeMutableRawPointer: CurlTransfer] = [:]
        while startNew(&transfers) {
            livery_curl_multi_perform(multi)
            finishEnded(&transfers)
            let deadline = check(&transfers)
            livery_curl_multi_poll(multi, deadline.millisecondsFromNow)
        }
        for transfer in transfers.values { transfer.finish(on: multi, .failure(.cancelled)) }
        inbox.withLock { inbox in
            inbox.isClosed = true
            livery_curl_multi_cleanup(multi)
            livery_curl_share_cleanup(sessions)
        }
    }

    /// - Returns: `false` when it is time to end.
    private func startNew(_ transfers: inout [UnsafeMutableRawPointer: CurlTransfer]) -> Bool {
        let (new, isClosing) = inbox.withLock { inbox in
            defer { inbox.new = [] }
            return (inbox.new, inbox.isClosing)
        }
        for (request, route, exchange) in new {
            guard let transfer = CurlTransfer(request, by: route, exchange) else {
                let message = "cannot initialize libcurl; check the available memory"
                exchange.end(.failure(OperationFailure(.unreachable, message)))
                continue
            }
            if let unsupportedReason = transfer.unsupportedReason {
                transfer.finish(on: multi, .failure(unsupportedReason))
                continue
            }
            transfers[transfer.handle] = transfer
            livery_curl_set_share(transfer.handle, sessions)
            livery_curl_multi_add(multi, transfer.handle)
        }
        return !isClosing
    }

    private func finishEnded(_ transfers: inout [UnsafeMutableRawPointer: CurlTransfer]) {
        var code = CURLE_OK
        while let handle = livery_curl_next_ended(multi, &code) {
            guard let transfer = transfers.removeValue(forKey: handle) else { continue }
            transfer.finish(on: multi, transfer.outcome(of: code))
        }
    }

    /// Drops the transfers whose exchange is over, and resumes those whose reader has caught up.
    ///
    /// - Returns: when to look again at the latest.
    private func check(_ transfers: inout [UnsafeMutableRawPointer: CurlTransfer]) -> ContinuousClock.Instant {
        let now = ContinuousClock.now
        var next = now + .seconds(3600)
        for (handle, transfer) in transfers {
            let (deadline, isOver, isPaused) = transfer.exchange.check(at: now)
            if isOver {
                transfers[handle] = nil
                transfer.finish(on: multi, .success(()))
            } else if transfer.isPaused, !isPaused {
                transfer.resume()
                next = now
            }
            if let deadline { next = min(next, deadline) }
        }
        return next
    }
}

extension ContinuousClock.Instant {
    /// Whole milliseconds, rounded up so that the last wait is not a busy loop.
    fileprivate var millisecondsFromNow: Int32 {
        let (seconds, attoseconds) = ContinuousClock.now.duration(to: self).components
        if seconds < 0 || attoseconds < 0 { return 0 }
        return Int32(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
