// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An etcd cluster of one or several members, each a separate process, on free ports and with separate data.
///
/// ```swift
/// let etcd = try RunningEtcd(members: 3)
/// try etcd.kill(0)
/// try etcd.restart(0)
/// ```
///
/// The members are killed when this object goes away. Its methods block; see ``onDedicatedThread(_:)``.
package final class RunningEtcd: Sendable {
    /// The members, which can be killed, paused and started again one by one.
    package let members: [EtcdMember]
    private let folder: TemporaryDirectory

    /// Starts a cluster and waits until each member answers.
    ///
    /// - Parameters:
    ///   - count: how many members there are.
    ///   - arguments: what to give each of them beside its place.
    ///   - scheme: `https` if the arguments have a certificate.
    ///   - client: the options that curl needs for access.
    package init(
        members count: Int = 1,
        arguments: [String] = [],
        scheme: String = "http",
        client options: [String] = []
    ) throws {
        let folder = try TemporaryDirectory(prefix: "etcd")
        let ports = try freePorts(count * 2)
        let peers = (0..<count).map { "http://127.0.0.1:\(ports[count + $0])" }
        let cluster = peers.enumerated().map { "member\($0)=\($1)" }.joined(separator: ",")
        members = (0..<count).map { number in
            let client = "\(scheme)://127.0.0.1:\(ports[number])"
            let command = Command(
                "etcd",
                [
                    "--name", "member\(number)", "--data-dir", folder["member\(number)"],
                    "--log-level", "error", "--logger", "zap",
                    "--listen-client-urls", client, "--advertise-client-urls", client,
                    "--listen-peer-urls", peers[number], "--initial-advertise-peer-urls", peers[number],
                    "--initial-cluster", cluster, "--initial-cluster-token", folder.path,
                ] + arguments
            )
            return EtcdMember(command: command, address: client, port: ports[number], client: options)
        }
        self.folder = folder
        for member in members { try member.start() }
        for member in members { try member.waitUntilHealthy() }
    }

    /// `host:port` of each member, with commas between.
    package var places: String { members.map { "127.0.0.1:\($0.port)" }.joined(separator: ",") }

    /// The leading member; the first member that answers, if they do not agree yet.
    package func leader() throws -> EtcdMember {
        var found: EtcdMember?
        try until("a leader") {
            found = members.first { (try? $0.isLeader()) == true }
            return found != nil
        }
        return found ?? members[0]
    }
}

/// A member of a cluster.
package final class EtcdMember: Sendable {
    /// The port for clients, on 127.0.0.1.
    package let port: Int
    private let address: String
    /// The options that curl needs for access.
    private let options: [String]
    private let command: Command
    private let running = Box<RunningCommand?>(nil)

    init(command: Command, address: String, port: Int, client options: [String]) {
        (self.command, self.options, self.address, self.port) = (command, options, address, port)
    }

    /// Starts it on its data, without waiting for it.
    package func start() throws { running.value = try RunningCommand(command) }

    /// Ends it at once, as a loss of power would, and waits until it has ended.
    package func kill() throws {
        send(SIGKILL)
        try running.value?.waitForExit()
    }

    /// Stops it where it is, so that its connections stay open and nothing is answered.
    package func pause() { send(SIGSTOP) }

    /// Resumes it after ``pause()``.
    package func resume() { send(SIGCONT) }

    /// Kills it and starts it on its data again, and waits until it answers.
    package func restart() throws {
        try kill()
        try start()
        try waitUntilHealthy()
    }

    /// Waits until it answers and knows a leader.
    package func waitUntilHealthy() throws {
        try until("etcd to answer", lastState: running.value?.standardError) {
            (try? curl([address + "/health"])) != nil
        }
    }

    /// Whether it leads the others.
    package func isLeader() throws -> Bool {
        let status = try ask("/v3/maintenance/status", "{}")
        return status["leader"] as? String == (status["header"] as? [String: Any])?["member_id"] as? String
    }

    /// Sends a request through its JSON gateway.
    ///
    /// - Returns: the answer.
    /// - Throws: if it does not answer within 5 s, or refuses.
    @discardableResult
    package func ask(_ path: String, _ json: String) throws -> [String: Any] {
        let answer = try curl(["-d", json, address + path])
        return try jsonMembers(answer)
    }

    private func curl(_ arguments: [String]) throws -> String {
        // The certificate is tested elsewhere.
        let command = Command("curl", ["-sSfk", "-m", "5", "--noproxy", "*"] + options + arguments)
        return try command.run(deadline: .seconds(30)).ofSuccess().standardOutput
    }

    private func send(_ signal: Int32) { running.value?.send(signal: signal) }
}

/// Ports of 127.0.0.1 for programs with a port option, all different. No other test of this process gets them.
package func freePorts(_ count: Int) throws -> [Int] {
    let sockets = try (0..<count).map { _ in try OwnedDescriptor.bound() }
    #if os(Linux)
        // Elsewhere a port is not shared with a socket that has it.
        reserved.withLock { $0 += sockets.map(\.descriptor) }
    #endif
    return sockets.map(\.port)
}

/// Reserves the ports until the process ends.
private let reserved = Mutex<[OwnedDescriptor]>([])
