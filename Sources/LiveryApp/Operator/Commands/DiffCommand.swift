import ArgumentParser
import ConfigModel
import Programs
import RemoteConfig

/// `livery diff FILE`
struct DiffCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show how a JSON document differs from the namespace.",
        usage: "livery diff <file> [<options>]",
        discussion: """
            + is a key that only the document has, - one that only the server has, ~ one with another value, from the \
            server's to the document's. The exit code is 0 if nothing differs, 1 if something does, and higher after an \
            error.

            As JSON: {"same": …, "changes": [{"key": …, "old": …, "new": …}]}; old is the server's, new the document's, \
            null where there is none.
            """
    )

    @Argument(help: "The document, nested or flat; - for standard input.", completion: .file(extensions: ["json"]))
    var file: String

    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    @MainActor
    func run(in session: OperatorSession) async throws {
        let document = try InputFile.document(at: file)
        let diff = ConfigDiff(from: try await session.client.snapshot().entries, to: document)
        if session.style.isJSON {
            try session.writeJSON { object in
                object.member("same") { $0.boolean(diff.isEmpty) }
                object.member("changes") { diff.write(to: &$0) }
            }
        } else {
            try session.write(diff.lines(style: session.style))
        }
        if !diff.isEmpty { throw ProgramFailure(.negative) }
    }
}

extension InputFile {
    /// The values of a JSON document by key.
    static func document(at path: String) throws(ConfigError) -> [String: EntryValue] {
        let bytes = try bytes(at: path, atMost: ConfigDocument.maximumBytes)
        let name = path == "-" ? "standard input" : path
        return try ConfigDocument(json: bytes, source: name).entries.mapValues(\.value)
    }
}
