import ArgumentParser
import ConfigModel
import Files
import Foundation
import RemoteConfig
import TerminalUI

/// A command that asks something of a server.
protocol OperatorCommand: LiveryCommand {
    var access: ServerOptions { get }
    /// Standard, for a command that writes one form only.
    var output: OutputOptions { get }

    /// Looks at the arguments before the server is asked.
    ///
    /// - Throws: `invalidKey`.
    func check() throws(ConfigError)

    /// Does the work.
    ///
    /// - Throws: `ConfigError`, from which follows the program's exit code; `ProgramFailure` where that is the answer.
    @MainActor
    func run(in session: OperatorSession) async throws
}

extension OperatorCommand {
    var output: OutputOptions { OutputOptions.standard }

    func check() throws(ConfigError) {}

    @MainActor
    func execute() async throws {
        try check()
        let environment = ProcessInfo.processInfo.environment
        let style = OutputStyle(wantsJSON: output.json, wantsText: output.plain, environment: environment)
        let client = try access.client(environment: environment)
        if let seen = access.seen { try await client.expect(seen) }
        try await run(in: OperatorSession(client: client, style: style))
    }
}

extension ServerClient {
    /// Takes no answer from now on that is older than a revision.
    ///
    /// - Throws: `unavailable` if the server has not heard of it, `notFound` if there is no such revision.
    fileprivate func expect(_ revision: UInt64) async throws(ConfigError) {
        let first = try await info().head
        guard first.revision < revision else { return remember(Cursor(epoch: first.epoch, revision: revision)) }
        // Another server on the store may have made it: this one is given its time to hear of it.
        remember(Cursor(epoch: first.epoch, revision: revision))
        let head = try await info().head
        guard head.revision < revision else { return }
        throw ConfigError(.notFound, "there is no revision \(revision); the server is at \(head.revision)")
    }
}

/// What a command works with: the server, and where its output goes.
struct OperatorSession {
    let client: ServerClient
    let style: OutputStyle

    /// Writes lines for people.
    func write(_ lines: [[Span]]) throws {
        try Output.standard.write(lines.map(style.line).joined())
    }

    /// Writes JSON for programs, laid out for those who look at it.
    func writeJSON(_ members: (inout JSONWriter) -> Void) throws {
        var json = JSONWriter()
        json.object(members)
        try writeJSON(json.bytes)
    }

    func writeJSON(_ json: [UInt8]) throws {
        try Output.standard.write(style.json(PrettyJSON.laidOut(json)))
    }
}
