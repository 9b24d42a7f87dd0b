import ArgumentParser

/// A command that waits.
protocol AsyncServerCommand: ParsableCommand {
    mutating func execute() async throws
}

/// The program's commands.
struct LiveryServerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "livery-server",
        abstract: "Serve configurations that change while they are used.",
        version: "1.0.0",
        subcommands: [Serve.self],
        defaultSubcommand: Serve.self
    )
}
