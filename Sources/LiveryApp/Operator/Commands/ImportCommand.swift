import ArgumentParser
import ConfigModel
import RemoteConfig

/// `livery import FILE`
struct ImportCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Set the keys of a JSON document: all as one revision, or none.",
        usage: "livery import <file> [<options>]",
        discussion: """
            Keys that the document does not have stay, unless --replace is given. Values that are up to date are not \
            written again, and after a conflict with another writer the import starts again. If the document is too large \
            for one request, --batches imports it in several revisions; if one fails, those before it stay.

            As JSON: {"namespace": …, "revision": …, "revisions": …, "new": …, "changed": …, "removed": …, \
            "unchanged": …}; revisions counts those of the import.
            """
    )

    @Argument(help: "The document, nested or flat; - for standard input.", completion: .file(extensions: ["json"]))
    var file: String

    @Flag(help: "Remove the keys that the document does not have.")
    var replace = false

    @Flag(help: "Show what would change, and change nothing.")
    var dryRun = false

    @Flag(help: "Import in several revisions if one request cannot hold it all.")
    var batches = false

    @Option(name: .shortAndLong, help: ArgumentHelp("Why, for the history.", valueName: "text"))
    var message: String?

    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if dryRun, batches || message != nil {
            throw ValidationError("--dry-run writes nothing; leave --batches and --message out.")
        }
    }

    @MainActor
    func run(in session: OperatorSession) async throws {
        let document = try InputFile.document(at: file)
        let job = ImportJob(document: document, replaces: replace, inBatches: batches, message: message)
        if dryRun { return try report(job.plan(from: try await session.client.snapshot()), session) }
        try report(try await job.run(on: session.client), session)
    }

    private func report(_ result: ImportResult, _ session: OperatorSession) throws {
        if session.style.isJSON {
            return try session.writeJSON { object in
                object.member("namespace") { $0.string(session.client.address.namespace) }
                result.writeMembers(to: &object)
            }
        }
        try session.write(session.excerpt(of: result.diff) + [[Span(result.sentence)]])
    }
}
