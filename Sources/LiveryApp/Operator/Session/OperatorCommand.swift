import ArgumentParser
import ConfigModel
import Foundation
import RemoteConfig
import TerminalUI

/// A command that sends requests to a server.
protocol OperatorCommand: LiveryCommand {
    var access: ServerOptions { get }
    /// How to write; the standard for a command that has one form only.
    var output: OutputOptions { get }

    /// Checks the arguments before any request.
    ///
    /// - Throws: `invalidKey`.
    func check() throws(ConfigError)

    /// Does the work.
    ///
    /// - Throws: `ConfigError`, which decides the program's exit code; `ProgramFailure` where the exit code is the answer.
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
    /// Accepts no answer from now on that is older than a revision.
    ///
    /// - Throws: `unavailable` if the server has not received it yet, `notFound` if there is no such revision.
    fileprivate func expect(_ revision: UInt64) async throws(ConfigError) {
        let first = try await info().head
        guard first.revision < revision else { return remember(Cursor(epoch: first.epoch, revision: revision)) }
        // Another server on the store may have made it: this one gets time to catch up.
        remember(Cursor(epoch: first.epoch, revision: revision))
        let head = try await info().head
        guard head.revision < revision else { return }
        throw ConfigError(.notFound, "there is no revision \(revision); the server is at \(head.revision)")
    }
}

/// The commands that send requests to a server.
enum OperatorCommands {
    static let all: [any ParsableCommand.Type] = [
        GetCommand.self, SetCommand.self, UnsetCommand.self, ListCommand.self, WatchCommand.self, HistoryCommand.self,
        RollbackCommand.self, ImportCommand.self, ExportCommand.self, DiffCommand.self,
        LoginCommand.self, LogoutCommand.self,
    ]
}
