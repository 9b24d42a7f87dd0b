// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigClient
import ConfigModel
import ConfigWire
import Programs

/// A kind of entries, and the words of the commands that the kinds share: `list`, `show` and `unset`.
protocol EntryFamily {
    static var kind: EntryKind { get }
    static var listText: String { get }
    /// The columns of the list between the name and the revision.
    static var columns: KeyValuePairs<String, @Sendable (EntryMessage) -> String> { get }
}

extension EntryFamily {
    /// The argument that names an entry: `key`, or `name` where patterns have entries, too.
    static var name: String { kind == .schema ? "name" : "key" }
    /// The words that the commands of the family begin with.
    static var command: String { kind == .value ? "livery" : "livery \(kind.rawValue)" }

    static func table(of entries: [EntryMessage], clock: ClockFormat) -> TextTable {
        TextTable(
            headings: [name.uppercased()] + columns.map(\.key) + ["REVISION", "CHANGED"],
            rows: entries.map { entry in
                [Span(entry.key, .key)] + columns.map { Span($0.value(entry)) }
                    + ["\(entry.revision)", Span(clock.dateAndClock(entry.updatedAt), .faint)]
            }
        )
    }
}

struct ListCommand<Family: EntryFamily>: OperatorCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list",
            abstract: Family.kind == .value ? "List keys and values." : "List \(Family.kind.listName).",
            usage: "\(Family.command) list [<prefix>] [<options>]",
            discussion: """
                \(Family.listText)

                As JSON: {"namespace": …, "revision": …, "\(Family.kind.listName)": [\(Family.kind.entryShape)]}, sorted by key.
                """
        )
    }

    @Argument(
        help: ArgumentHelp("List only \(Family.name)s with this prefix."),
        completion: KeyCompletion.names(of: Family.kind)
    )
    var prefix: String?

    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func check() throws(ConfigError) {
        if let prefix, !prefix.isEmpty { try Family.kind.check(prefix: prefix) }
    }

    func run(in session: OperatorSession) async throws {
        let (all, revision) = try await session.client.entries(Family.kind)
        let entries = all.filter { $0.key.utf8.starts(with: (prefix ?? "").utf8) }
        try session.write(entries, of: Family.kind, at: revision, Family.table(of: entries, clock: .local))
    }
}

/// The values of the keys; `get` and `set` show and change them.
enum ValueFamily: EntryFamily {
    static let kind = EntryKind.value
    static let listText = """
        The last line is the revision of the namespace; pass it to --expect of a write.

        EXAMPLES
          livery list app.
          livery set app.count=3 --expect "$(livery list --json | jq .revision)"
        """
    static var columns: KeyValuePairs<String, @Sendable (EntryMessage) -> String> {
        ["VALUE": { $0.value.canonicalJSON }]
    }
}
