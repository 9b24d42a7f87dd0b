import ArgumentParser
import ConfigModel
import Foundation
import RemoteConfig
import TerminalUI

/// A command that asks something of a server.
protocol OperatorCommand: LiveryCommand {
    var access: ServerOptions { get }
    var output: OutputOptions { get }
    /// The program's own options: the parser gives it those that both have, wherever they stand.
    var root: Livery { get }

    /// Does the work.
    ///
    /// - Throws: `ConfigError`, from which follows the program's exit code; `ExitCode` where that is the answer.
    @MainActor
    func run(in session: OperatorSession) async throws
}

extension OperatorCommand {
    /// Whether JSON is asked for by name.
    var wantsJSON: Bool { output.json || root.json }

    @MainActor
    func execute() async throws {
        try await OperatorExit.reporting {
            let environment = ProcessInfo.processInfo.environment
            let style = OutputStyle(
                wantsJSON: wantsJSON,
                wantsText: output.plain || root.plain,
                environment: environment
            )
            let client = try access.client(environment: environment)
            if let seen = access.seen {
                client.note(Cursor(epoch: try await client.info().head.epoch, revision: seen))
            }
            try await run(in: OperatorSession(client: client, style: style))
        }
    }
}

/// What a command works with: the server, and where its output goes.
struct OperatorSession {
    let client: ServerClient
    let style: OutputStyle

    /// Writes lines for people.
    func write(_ lines: [[Span]]) throws {
        try StandardOutput.write(lines.map(style.line).joined())
    }

    /// Writes JSON for programs, laid out for those who look at it.
    func writeJSON(_ members: (inout JSONWriter) -> Void) throws {
        var json = JSONWriter()
        json.object(members)
        try writeJSON(json.bytes)
    }

    func writeJSON(_ json: [UInt8]) throws {
        try StandardOutput.write(style.json(PrettyJSON.laidOut(json)))
    }
}
