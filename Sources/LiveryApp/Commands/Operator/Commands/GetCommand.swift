import ArgumentParser
import ConfigModel
import RemoteConfig

/// `livery get KEY`
struct GetCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print the value of a key.",
        discussion: """
            A string is printed as it is, any other value as JSON, both followed by a line break. Where standard output \
            is a terminal, characters that would command it are replaced; in a pipe the value is exact.
            With --json the whole entry is printed: key, value, revision, created_at and updated_at.
            """
    )

    @Argument(help: "The key.", completion: KeyCompletion.kind)
    var key: String

    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions
    @ParentCommand var root: Livery

    @MainActor
    func run(in session: OperatorSession) async throws {
        try Assignment.check(key)
        let entry = try await session.client.entry(key)
        if wantsJSON { return try session.writeJSON(entry.json) }
        let text = if case .string(let text) = entry.value { text } else { entry.value.canonicalJSON }
        try StandardOutput.write(session.style.verbatim(text) + "\n")
    }
}
