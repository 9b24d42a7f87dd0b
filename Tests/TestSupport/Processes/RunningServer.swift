// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A `livery-server` in a separate process, on a free port of this machine and with a separate folder.
///
/// ```swift
/// let server = try RunningServer()
/// let output = try Command(livery, ["list", "--server", server.address]).run()
/// ```
///
/// The server is killed when this object goes away. Its methods block; see ``onDedicatedThread(_:)``.
package final class RunningServer: WireServer, ChildProgram, Sendable {
    /// The address, such as `http://127.0.0.1:40123`.
    package let address: String
    /// The folder in which it runs and stores its files by default.
    package let folder: TemporaryDirectory
    private let running: RunningCommand

    /// Starts a server and waits until it listens and has read its store.
    ///
    /// - Parameters:
    ///   - port: the port; 0 for any that is free.
    ///   - arguments: what to give it beside the address.
    ///   - environment: variables to add.
    ///   - folder: where it runs; a fresh folder unless given, as for a server that is started again on its files.
    ///   - awaitsStore: `false` for a server that cannot open its store yet.
    ///   - wrapper: a program that becomes the server, and its first arguments, such as `["/usr/bin/nice"]`.
    package init(
        port: Int = 0,
        arguments: [String] = [],
        environment: [String: String] = [:],
        folder: TemporaryDirectory? = nil,
        awaitsStore: Bool = true,
        wrapper: [String] = []
    ) throws {
        let folder = try folder ?? TemporaryDirectory(prefix: "server")
        let words = wrapper + [try builtProduct(named: "livery-server"), "--address", "127.0.0.1:\(port)"] + arguments
        let command = Command(
            words: words,
            environment: Command.environment(adding: environment),
            workingDirectory: folder.path
        )
        let running = try RunningCommand(command)
        var address: String?
        try until("the server to listen", lastState: running.output) {
            let output = running.output
            address = Self.address(in: output)
            let isOpen = !awaitsStore || output.contains("store opened")
            return address != nil && isOpen || !running.isRunning
        }
        guard let address else {
            throw WaitError(
                expectation: "`\(command)` to listen",
                deadline: .patience,
                lastState: running.output,
                place: #fileID
            )
        }
        (self.address, self.folder, self.running) = (address, folder, running)
    }

    /// The port that it listens on.
    package var port: Int { address.split(separator: ":").last.flatMap { Int($0) } ?? 0 }

    package var child: ChildProcess { running.child }

    /// The output.
    package var output: String { running.output }

    /// Waits until the output contains a text.
    package func waitForOutput(_ text: String, fileID: StaticString = #fileID, line: UInt = #line) throws {
        try running.waitForOutput(text, fileID: fileID, line: line)
    }

    /// Stops the server by a signal, and waits until it has ended.
    @discardableResult
    package func stop(signal number: Int32 = SIGTERM) throws -> ExitStatus {
        send(signal: number)
        return try waitForExit()
    }

    package func waitForExit(within deadline: Duration, _ fileID: StaticString, _ line: UInt) throws -> ExitStatus {
        try running.waitForExit(within: deadline, fileID, line)
    }

    /// The address that a line of the server's output names.
    private static func address(in output: String) -> String? {
        output.firstMatch(of: /https?:\/\/[0-9A-Za-z.\[\]:]+:[0-9]+(?=[\s"])/).map { String($0.output) }
    }
}

extension RunningServer {
    /// A server that can be restarted on its port: the kernel gives such a port to no client, not even to one that requests
    /// this very port and would be connected to itself.
    package static func startedForAgain() throws -> RunningServer {
        for _ in 0..<20 {
            if let server = try? RunningServer(port: Int.random(in: 10_000..<30_000)) { return server }
        }
        return try RunningServer(port: Int.random(in: 10_000..<30_000))
    }
}
