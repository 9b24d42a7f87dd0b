import ArgumentParser
import ConfigModel
import Files
import RemoteConfig

/// `livery get KEY`
struct GetCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print the value of a key.",
        usage: "livery get <key> [<options>]",
        discussion: """
            A string is printed as it is, any other value as JSON, both followed by a line break. On a terminal, \
            characters that could control it are replaced; in a pipe the value is exact.
            With --json the whole entry is printed: key, value, revision, created_at and updated_at.
            """
    )

    @Argument(help: "The key.", completion: KeyCompletion.kind)
    var key: String

    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func check() throws(ConfigError) { try Assignment.check(key) }

    @MainActor
    func run(in session: OperatorSession) async throws {
        let entry = try await session.client.entry(key)
        if output.json { return try session.writeJSON(entry.json) }
        let text = if case .string(let text) = entry.value { text } else { entry.value.canonicalJSON }
        try Output.standard.write(session.style.verbatim(text) + "\n")
    }
}
