import ArgumentParser
import ConfigModel
import RemoteConfig

/// `livery list [PREFIX]`
struct ListCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the keys and their values.",
        discussion: """
            As JSON: {"namespace": …, "entries": [{"key": …, "value": …, "revision": …, "created_at": …, \
            "updated_at": …}]}, sorted by key.
            """
    )

    @Argument(help: "Only keys that begin like this.", completion: KeyCompletion.kind)
    var prefix: String?

    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions
    @ParentCommand var root: Livery

    @MainActor
    func run(in session: OperatorSession) async throws {
        let entries = try await session.client.entries().filter { $0.key.hasPrefix(prefix ?? "") }
        if session.style.isJSON {
            return try session.writeJSON { object in
                object.member("namespace") { $0.string(session.client.address.namespace) }
                object.member("entries") { member in
                    member.array { array in
                        for entry in entries { array.raw(String(decoding: entry.json, as: UTF8.self)) }
                    }
                }
            }
        }
        try StandardOutput.write(Self.table(of: entries, clock: .local).text(style: session.style))
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
