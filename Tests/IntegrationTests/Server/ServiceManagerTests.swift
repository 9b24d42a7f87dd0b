// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The server's notifications to systemd, by the protocol of sd_notify(3).
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct ServiceManagerTests {
    /// The socket of a service manager.
    private final class Manager {
        let path: String
        private let descriptor: Int32
        private(set) var messages: [String] = []

        init(in folder: TemporaryDirectory) throws {
            path = folder["notify"]
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let isBound = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(isBound == 0)
            var patience = timeval(tv_sec: 60, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        }

        deinit { close(descriptor) }

        /// Reads messages until one has a line; the last one.
        func message(with line: String) throws -> [String] {
            while true {
                var buffer = [UInt8](repeating: 0, count: 4096)
                let count = recv(descriptor, &buffer, buffer.count, 0)
                try #require(count > 0, "no message has \(line): \(messages)")
                let text = String(decoding: buffer[..<count], as: UTF8.self)
                messages.append(text)
                let lines = text.components(separatedBy: "\n")
                if lines.contains(line) { return lines }
            }
        }
    }

    @Test func managerIsNotifiedOfStartReloadAndEnd() throws {
        let folder = try TemporaryDirectory(prefix: "server")
        let manager = try Manager(in: folder)
        _ = try makeToken("ci", role: "write", in: folder)
        let server = try RunningServer(
            arguments: ["--token-file", "tokens"],
            environment: ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "1500000"],
            folder: folder
        )
        #expect(try manager.message(with: "READY=1") == ["READY=1", "STATUS=serving"])
        #expect(manager.messages.count == 1)
        for _ in 0..<2 { #expect(try manager.message(with: "WATCHDOG=1") == ["WATCHDOG=1"]) }
        server.send(signal: SIGHUP)
        let reloading = try manager.message(with: "RELOADING=1")
        #expect(reloading.last?.wholeMatch(of: /MONOTONIC_USEC=[0-9]+/) != nil)
        _ = try manager.message(with: "READY=1")
        server.send(signal: SIGTERM)
        #expect(try manager.message(with: "STOPPING=1") == ["STOPPING=1", "STATUS=shutting down"])
        #expect(try server.waitForExit() == .exited(0))
    }

    /// A server that cannot read its store is not ready.
    @Test func aServerWithoutItsStoreIsNotReady() throws {
        let folder = try TemporaryDirectory(prefix: "server")
        let manager = try Manager(in: folder)
        let token = try makeToken("ci", role: "read", in: folder)
        let server = try RunningServer(
            arguments: ["--token-file", "tokens", "--store", "etcd://127.0.0.1:1/livery"],
            environment: ["NOTIFY_SOCKET": manager.path],
            folder: folder,
            awaitsStore: false
        )
        server.send(signal: SIGHUP)
        let waiting = try manager.message(with: "STATUS=waiting for the store")
        #expect(waiting.first == "EXTEND_TIMEOUT_USEC=60000000")
        #expect(!manager.messages.contains { $0.contains("READY=1") && !$0.contains("RELOADING") })
        #expect(try server.ask("GET", "/ready", token: token).status == 503)
        server.send(signal: SIGTERM)
        _ = try manager.message(with: "STOPPING=1")
        #expect(try server.waitForExit() == .exited(0))
    }

    /// A manager that does not read, or does not exist, does not delay the server.
    @Test(arguments: ["/nowhere/notify", "@livery-nobody", "relative", String(repeating: "/x", count: 200)])
    func aMissingManagerIsIgnored(name: String) throws {
        let server = try RunningServer(environment: ["NOTIFY_SOCKET": name])
        #expect(try server.set("a", "1") == 201)
        #expect(try server.stop() == .exited(0))
    }
}
