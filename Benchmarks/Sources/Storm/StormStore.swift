// SPDX-License-Identifier: Apache-2.0

import ConfigClient
import Foundation
import NIOSSL
import TestSupport

/// A store and its servers, which can be killed one by one.
final class StormStore: Sendable {
    enum Kind { case sqlite, mariaDB, etcd }

    let servers: [StormServer]
    let etcd: RunningEtcd?
    let certificates: TestCertificates?
    private let mariaDB: RunningMariaDB?
    private let folder: TemporaryDirectory

    /// Starts one server on SQLite, or three on another store, with a number of keys.
    init(_ kind: Kind, keys: Int, isEncrypted: Bool) throws {
        folder = try TemporaryDirectory(prefix: "storm")
        etcd = kind == .etcd ? try RunningEtcd(members: 3) : nil
        mariaDB = kind == .mariaDB ? try RunningMariaDB.withDefaults() : nil
        certificates = isEncrypted ? try TestCertificates() : nil
        let address: String
        if let etcd {
            address = "etcd://\(etcd.places)/livery?tls=off"
        } else if let mariaDB {
            address = "mariadb://root@localhost/\(try mariaDB.makeDatabase())?socket=\(mariaDB.socket)"
        } else {
            address = folder["livery.sqlite"]
        }
        let tls = certificates.map {
            ["--tls-certificate", $0.path("server.pem"), "--tls-private-key", $0.path("server.key")]
        }
        servers = try freePorts(kind == .sqlite ? 1 : 3).map { port in
            try StormServer(port: port, arguments: ["--store", address] + (tls ?? []))
        }
        for server in servers { try server.start() }
        let scheme = isEncrypted ? "https" : "http"
        for server in servers {
            try until("livery-server to answer", lastState: server.errors) {
                try HTTPCall("\(scheme)://127.0.0.1:\(server.port)/v1/default/config", ["-k"]).isAnswered()
            }
        }
        for patch in SampleEntries(count: keys).patches {
            let options = ["-k", "-X", "PATCH", "-H", "Content-Type: application/json", "--data-binary", patch]
            _ = try HTTPCall("\(scheme)://127.0.0.1:\(servers[0].port)/v1/default/entries", options).body()
        }
    }

    /// A client that publishes to a server.
    func client(of server: StormServer) throws -> ServerClient {
        let authority = try certificates.map { try TransportOptions(certificateAuthority: .file($0.path("ca.pem"))) }
        let scheme = certificates == nil ? "http" : "https"
        let address = try ServerAddress("\(scheme)://127.0.0.1:\(server.port)")
        return ServerClient(address: address, options: authority ?? .standard)
    }
}

/// A livery-server that can be killed and started again.
final class StormServer: Sendable {
    let port: Int
    private let command: Command
    private let running = Box<RunningCommand?>(nil)

    init(port: Int, arguments: [String]) throws {
        self.port = port
        let options = ["--address", "127.0.0.1:\(port)", "--log-level", "error"]
        command = Command(try builtProduct(named: "livery-server"), options + arguments)
    }

    /// Starts it, without waiting for it.
    func start() throws { running.value = try RunningCommand(command) }

    /// Ends it at once, as a loss of power would, and waits until it has ended.
    func kill() throws {
        running.value?.send(signal: SIGKILL)
        try running.value?.waitForExit()
    }

    var errors: String? { running.value?.standardError }

    private var folder: String { "/proc/\(running.value?.processIdentifier ?? 0)" }

    /// Its resident memory (`VmRSS`) or the highest so far (`VmHWM`), in bytes.
    func memory(_ name: String) throws -> Int {
        let lines = try String(contentsOfFile: "\(folder)/status", encoding: .utf8).split(separator: "\n")
        let line = lines.first { $0.hasPrefix("\(name):") }
        guard let number = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) }) else {
            throw BenchmarkFailure("no \(name) of livery-server")
        }
        return number * 1024
    }

    /// Has the highest memory count from now on.
    func forgetPeak() { try? "5".write(toFile: "\(folder)/clear_refs", atomically: false, encoding: .utf8) }
}
