// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The environment of an operator: the real program, a server, and a folder of files.
struct OperatorDesk {
    let folder: TemporaryDirectory
    /// The server's address.
    let address: String
    private let started: RunningServer?

    /// The server that was started for the desk, and ends with it.
    var server: RunningServer { get throws { try #require(started) } }

    /// - Parameter address: a server that is there; `nil` to start one.
    init(address: String? = nil) throws {
        folder = try TemporaryDirectory(prefix: "desk")
        started = address == nil ? try RunningServer() : nil
        self.address = try address ?? #require(started).address
    }

    /// - Parameter script: a shell's, in which `"$0" "$@"` is the command.
    private func command(
        _ arguments: [String],
        input: String? = nil,
        script: String? = nil,
        _ environment: [String: String] = [:]
    ) throws -> Command {
        if let input { try folder.write(input, to: "input") }
        let own = ["LIVERY_SERVER": address, "XDG_CONFIG_HOME": folder["config"], "TZ": "UTC"]
        let words = [try builtProduct(named: "livery")] + arguments
        let script = script ?? input.map { _ in #"exec "$0" "$@" < input"# }
        return Command(
            script == nil ? words[0] : "/bin/sh",
            script.map { ["-c", $0] + words } ?? arguments,
            environment: Command.environment(adding: own.merging(environment) { $1 }),
            workingDirectory: folder.path
        )
    }

    /// Runs a command without a terminal.
    func run(
        _ arguments: String...,
        input: String? = nil,
        environment: [String: String] = [:]
    ) throws -> Command.Output {
        try run(arguments, environment, input: input)
    }

    func run(
        _ arguments: [String],
        _ environment: [String: String] = [:],
        input: String? = nil,
        script: String? = nil
    ) throws -> Command.Output {
        try command(arguments, input: input, script: script, environment).run(deadline: .seconds(90))
    }

    /// Starts a command without a terminal.
    func start(_ arguments: [String]) throws -> RunningCommand { try RunningCommand(command(arguments)) }

    /// Runs a command that has to succeed, and gives its output as JSON.
    func json(_ arguments: String...) throws -> [String: Any] {
        try jsonMembers(run(arguments).ofSuccess().standardOutput)
    }

    /// Starts a command on a terminal.
    func onTerminal(
        _ arguments: String...,
        columns: Int = 80,
        rows: Int = 24,
        environment: [String: String] = [:]
    ) throws -> PseudoTerminal {
        try onTerminal(arguments, columns: columns, rows: rows, environment)
    }

    func onTerminal(
        _ arguments: [String],
        columns: Int,
        rows: Int,
        _ environment: [String: String] = [:]
    ) throws -> PseudoTerminal {
        try PseudoTerminal(running: command(arguments, environment), columns: columns, rows: rows)
    }
}

extension PseudoTerminal {
    /// The program's output, without colours and with plain line breaks.
    var plainText: String {
        String(decoding: bytesReceived, as: UTF8.self).replacing(/\u{1B}\[[0-9;]*m/, with: "")
            .replacing("\r\n", with: "\n")
    }
}

extension ScriptedServer {
    /// A server without values, which answers clients that have this token, or anybody.
    convenience init(admitting token: String?) throws {
        try self.init { connection, request in
            guard token == nil || request["authorization"] == "Bearer \(token ?? "")" else {
                return try connection.respond("401 Unauthorized", ["Content-Type": "text/plain"], "who?")
            }
            let info = #"{"version":"1.0.0","epoch":"0000000000000001","revision":3,"namespaces":[]}"#
            try connection.respond("200 OK", ["Content-Type": "application/json"], info)
        }
    }
}
