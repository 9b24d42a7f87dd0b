// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigServer
import Files
import Foundation
import Logging
import ServiceLifecycle
import Synchronization

/// The service manager that started the server: systemd, by the protocol of sd_notify(3). Without one, notifications are
/// dropped.
final class ServiceManager: Sendable {
    /// The path of its socket, or an abstract name that begins with `@`.
    private let socketName: String?
    /// The manager's watchdog timeout before it restarts the server; `nil` without one.
    let watchdog: Duration?
    private let isReady = Mutex(false)

    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        socketName = environment["NOTIFY_SOCKET"].flatMap { "/@".utf8.contains($0.utf8.first ?? 0) ? $0 : nil }
        let isMeant = environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        watchdog = isMeant && microseconds > 0 ? .microseconds(microseconds) : nil
    }

    /// Whether there is a manager.
    var isThere: Bool { socketName != nil }

    /// A notification.
    enum News {
        case waitingForStore
        case ready
        case reloading
        /// Ready again, if it was before.
        case reloaded
        case stopping
        case alive

        fileprivate var lines: [String] {
            switch self {
            // For as long as the store is out of reach, the start takes longer.
            case .waitingForStore: ["EXTEND_TIMEOUT_USEC=60000000", "STATUS=waiting for the store"]
            case .ready, .reloaded: ["READY=1", "STATUS=serving"]
            case .reloading: ["RELOADING=1", "MONOTONIC_USEC=\(Self.microseconds)"]
            case .stopping: ["STOPPING=1", "STATUS=shutting down"]
            case .alive: ["WATCHDOG=1"]
            }
        }

        /// Of the clock that counts since the machine started.
        private static var microseconds: Int {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
        }
    }

    /// Never waits: notifications that a busy manager does not receive are lost.
    func tell(_ news: News) {
        let isReady = isReady.withLock { isReady in
            if case .ready = news { isReady = true }
            return isReady
        }
        if case .reloaded = news, !isReady { return }
        guard let socketName, var address = sockaddr_un(named: socketName) else { return }
        let descriptor = socket(AF_UNIX, Sockets.datagram, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let message = Array(news.lines.joined(separator: "\n").utf8)
        let length = socklen_t(MemoryLayout<sa_family_t>.size + socketName.utf8.count)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                _ = sendto(descriptor, message, message.count, Sockets.sendFlags, pointer, length)
            }
        }
    }
}

extension sockaddr_un {
    /// `nil` if the name is too long.
    fileprivate init?(named name: String) {
        self.init()
        sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        // An abstract name begins with a zero.
        if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
        guard bytes.count < MemoryLayout.size(ofValue: sun_path) else { return nil }
        withUnsafeMutableBytes(of: &sun_path) { $0.copyBytes(from: bytes) }
    }
}

/// Notifies the service manager when the server is ready, at intervals while it runs, and when it stops.
struct Supervision: Service {
    let manager: ServiceManager
    let application: ServerApplication
    /// Ends once the server accepts connections.
    let listening: AsyncStream<Void>

    func run() async throws {
        await withGracefulShutdownHandler {
            await cancelWhenGracefulShutdown { await supervise() }
        } onGracefulShutdown: {
            manager.tell(.stopping)
        }
    }

    private func supervise() async {
        for await _ in listening {}
        while !Task.isCancelled, await application.hub.wait(atMost: .seconds(10), for: { $0.head }) == nil {
            manager.tell(.waitingForStore)
        }
        if Task.isCancelled { return }
        manager.tell(.ready)
        guard let watchdog = manager.watchdog else {
            // A service that returns ends the program.
            try? await gracefulShutdown()
            return
        }
        // Until the task is cancelled.
        while (try? await Task.sleep(for: watchdog / 3)) != nil {
            if await application.isAlive() { manager.tell(.alive) }
        }
    }
}
