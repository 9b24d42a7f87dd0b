import ArgumentParser
import ConfigModel
import Files
import Programs
import RemoteConfig
import TerminalUI

/// `livery rollback REVISION`
struct RollbackCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback",
        abstract: "Restore the namespace to a revision, as a new revision.",
        usage: "livery rollback <revision> [<options>]",
        discussion: """
            Shows the changes and asks for confirmation; the exit code after a "no" is 1. --yes does not ask, which is \
            needed where there is no terminal.

            As JSON: {"namespace": …, "revision": …, "to": …, "changed": ["key", …]}.
            """
    )

    @Argument(help: "The revision; `livery history` lists them.")
    var revision: UInt64

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @Option(name: .shortAndLong, help: ArgumentHelp("Why, for the history.", valueName: "text"))
    var message: String?

    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    @MainActor
    func run(in session: OperatorSession) async throws {
        if !yes, try await !isConfirmed(session) { throw ProgramFailure(.negative, "Nothing was changed.") }
        let receipt = try await session.client.rollback(RollbackRequest(to: revision, message: message))
        if session.style.isJSON {
            return try session.writeJSON { object in
                object.member("namespace") { $0.string(session.client.address.namespace) }
                object.member("revision") { $0.number(receipt.cursor.revision) }
                object.member("to") { $0.number(revision) }
                object.member("changed") { $0.strings(receipt.changed) }
            }
        }
        let keys = receipt.changed.count == 1 ? "1 key" : "\(receipt.changed.count.grouped) keys"
        let end =
            receipt.changed.isEmpty
            ? "Already equal to revision \(revision)."
            : "Revision \(receipt.cursor.revision) equals revision \(revision): \(keys) changed."
        try session.write([[Span(end)]])
    }

    @MainActor
    private func isConfirmed(_ session: OperatorSession) async throws -> Bool {
        try Confirmation.requireTerminal()
        let preview = try await RollbackPreview(to: revision, on: session.client)
        for line in preview.lines(in: session) { Output.error.writeLine(line) }
        let name = session.client.address.namespace
        return Confirmation.isGiven("Restore \(name) to revision \(revision)?")
    }
}

/// What a rollback would change.
struct RollbackPreview {
    let diff: ConfigDiff
    /// How many more keys would change.
    let others: Int

    /// No one reads the changes of more keys than these.
    private static let limit = 50

    init(to revision: UInt64, on client: ServerClient) async throws(ConfigError) {
        let now = try await client.snapshot()
        let answer = try await client.changes(since: Cursor(epoch: now.cursor.epoch, revision: revision))
        guard case .changes(let changes, _) = answer else {
            let isFuture = revision > now.cursor.revision
            let reason =
                isFuture
                ? "there is no revision \(revision) yet; the last is \(now.cursor.revision)"
                : "the history does not reach back to revision \(revision)"
            throw ConfigError(.notFound, "\(reason); `livery history` lists what there is")
        }
        let keys = changes.deletes.union(changes.upserts.keys).sorted()
        var former: [KeyChange] = []
        for key in keys.prefix(Self.limit) {
            let record = try await client.history(of: key, before: revision &+ 1, limit: 1).records.first
            former.append(KeyChange(key: key, old: now.entries[key], new: record?.value))
        }
        diff = ConfigDiff(former)
        others = max(keys.count - Self.limit, 0)
    }

    func lines(in session: OperatorSession) -> [String] {
        var style = session.style
        if !style.isTerminal { style.repertoire = .locale() }
        let changes = diff.lines(style: style)
        let more = others > 0 ? [[Span("… and \(others.grouped) more keys", .faint)]] : []
        let lines = changes + more
        return (lines.isEmpty ? [[Span("Nothing would change.")]] : lines).map { String(style.line($0).dropLast()) }
    }
}
