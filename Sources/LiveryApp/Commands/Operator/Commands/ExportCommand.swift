import ArgumentParser
import ConfigModel
import RemoteConfig

/// `livery export`
struct ExportCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print the namespace as a JSON document.",
        usage: "livery export [--flat | --nested] [<options>]",
        discussion: """
            `livery import` and `livery diff` read it back as exactly the same, whichever form it has.

            EXAMPLES
              livery export > config.json
              livery export -n staging | livery import - -n production --replace
            """
    )

    @Flag(help: "One object with whole keys, instead of an object for each part of a key.")
    var flat = false

    @Flag(help: "An object for each part of a key, as by default.")
    var nested = false

    @OptionGroup var access: ServerOptions

    func validate() throws {
        if flat, nested { throw ValidationError("Choose either --flat or --nested.") }
    }

    @MainActor
    func run(in session: OperatorSession) async throws {
        let entries = try await session.client.snapshot().entries
        try session.writeJSON(flat ? NestedDocument.flatJSON(of: entries) : NestedDocument.json(of: entries))
    }
}
