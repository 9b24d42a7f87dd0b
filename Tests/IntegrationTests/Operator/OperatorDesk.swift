// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// Where an operator sits: the real program, a server, and a folder of files.
struct OperatorDesk {
    let folder: TemporaryDirectory
    /// The server's address.
    let address: String

    init(address: String) throws {
        folder = try TemporaryDirectory(prefix: "desk")
        self.address = address
    }

    private func command(_ arguments: [String], input: String?, _ environment: [String: String]) throws -> Command {
        let livery = try builtProduct(named: "livery")
        let all = self.environment(environment)
        guard let input else {
            return Command(livery, arguments, environment: all, workingDirectory: folder.path)
        }
        try folder.write(input, to: "input")
        return try command(arguments, script: #"exec "$0" "$@" < input"#, all)
    }

    private func command(_ arguments: [String], script: String, _ all: [String: String]) throws -> Command {
        let livery = try builtProduct(named: "livery")
        return Command("/bin/sh", ["-c", script, livery] + arguments, environment: all, workingDirectory: folder.path)
    }

    /// Runs a command without a terminal.
    func run(
        _ arguments: String...,
        input: String? = nil,
        environment: [String: String] = [:]
    ) throws -> Command.Output {
        try command(arguments, input: input, environment).run(deadline: .seconds(90))
    }

    /// Runs a command with this text on its input.
    func run(_ arguments: [String], input: String) throws -> Command.Output {
        try command(arguments, input: input, [:]).run(deadline: .seconds(90))
    }

    /// Runs a command by a shell's script, in which `"$0" "$@"` is the command.
    func run(_ arguments: [String], script: String) throws -> Command.Output {
        try command(arguments, script: script, environment([:])).run(deadline: .seconds(90))
    }

    private func environment(_ variables: [String: String]) -> [String: String] {
        let own = ["LIVERY_SERVER": address, "XDG_CONFIG_HOME": folder.path(to: "config"), "TZ": "UTC"]
        return Command.environment(adding: own.merging(variables) { $1 })
    }

    /// Runs a command that has to succeed, and gives its output as JSON.
    func json(_ arguments: String...) throws -> [String: Any] {
        let output = try command(arguments, input: nil, [:]).run(deadline: .seconds(90))
        guard output.status.isSuccess else { throw UnexpectedOutput(output: output) }
        let object = try JSONSerialization.jsonObject(with: Data(output.standardOutput.utf8))
        guard let members = object as? [String: Any] else { throw UnexpectedOutput(output: output) }
        return members
    }

    /// Starts a command on a terminal.
    func onTerminal(
        _ arguments: String...,
        columns: Int = 80,
        rows: Int = 24,
        environment: [String: String] = [:]
    ) throws -> PseudoTerminal {
        try PseudoTerminal(running: command(arguments, input: nil, environment), columns: columns, rows: rows)
    }

    struct UnexpectedOutput: Error, CustomStringConvertible {
        let output: Command.Output
        var description: String { "\(output.status): \(output.standardOutput)\(output.standardError)" }
    }
}

extension PseudoTerminal {
    /// Everything that came from the program, without colours and with plain line breaks.
    var plainText: String {
        String(decoding: bytesReceived, as: UTF8.self).replacing(/\u{1B}\[[0-9;]*m/, with: "")
            .replacing("\r\n", with: "\n")
    }
}
