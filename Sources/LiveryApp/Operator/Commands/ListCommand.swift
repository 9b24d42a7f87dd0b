import ArgumentParser
import ConfigModel
import Files
import RemoteConfig

/// `livery list [PREFIX]`
struct ListCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the keys and their values.",
        usage: "livery list [<prefix>] [<options>]",
        discussion: """
            As JSON: {"namespace": …, "entries": [{"key": …, "value": …, "revision": …, "created_at": …, \
            "updated_at": …}]}, sorted by key.
            """
    )

    @Argument(help: "Only keys with this prefix.", completion: KeyCompletion.kind)
    var prefix: String?

    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func check() throws(ConfigError) {
        if let prefix, !prefix.isEmpty { try Assignment.check(prefix: prefix) }
    }

    @MainActor
    func run(in session: OperatorSession) async throws {
        let entries = try await session.client.entries().filter { $0.key.hasPrefix(prefix ?? "") }
        if session.style.isJSON {
            return try session.writeJSON { object in
                object.member("namespace") { $0.string(session.client.address.namespace) }
                object.member("entries", each: entries) { $1.raw(String(decoding: $0.json, as: UTF8.self)) }
            }
        }
        try Output.standard.write(Self.table(of: entries, clock: .local).text(style: session.style))
    }

    static func table(of entries: [EntryMessage], clock: ClockFormat) -> TextTable {
        TextTable(
            headings: ["KEY", "VALUE", "REVISION", "CHANGED"],
            rows: entries.map { entry in
                [
                    Span(entry.key, .key), Span(entry.value.canonicalJSON), "\(entry.revision)",
                    Span(clock.dateAndClock(entry.updatedAt), .faint),
                ]
            }
        )
    }
}
