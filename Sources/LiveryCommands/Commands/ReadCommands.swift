// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigClient
import ConfigModel
import ConfigRules
import ConfigWire
import Files
import Programs

struct GetCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print the value of a key.",
        usage: "livery get <key> [<options>]",
        discussion: """
            A string is printed as it is, any other value as JSON in one line, both followed by a line break. On a \
            terminal, JSON that is longer than a line is indented, and characters that could control the terminal are \
            replaced; in a pipe the value is exact.
            With --context, the rule of the key selects the value for this user; `livery explain` shows why.

            EXAMPLES
              livery get app.background.color
              livery get app.background.color --context user=42 --context language=es
              livery get app.menu | jq '.[0].title'
              livery get app.menu --at 41

            As JSON, with --json: {"namespace": …, "key": …, "value": …, "revision": …, "created_at": …, "updated_at": …}; \
            with --at: {"namespace": …, "key": …, "value": …}; with --context: {"namespace": …, "revision": …, "key": …, \
            "value": …, "variant": …, "reason": …}, where the revision is that of the namespace.
            """
    )

    @Argument(help: "The key.", completion: KeyCompletion.kind)
    var key: String

    @OptionGroup var audience: ContextOptions
    @OptionGroup var moment: RevisionOption
    @OptionGroup var access: ServerOptions
    @OptionGroup var form: EntryOutputOptions

    func check() throws(ConfigError) { try Assignment.check(key) }

    func run(in session: OperatorSession) async throws {
        if let context = try audience.context { return try await run(in: session, for: context) }
        if let revision = moment.at { return try await run(in: session, at: revision) }
        let entry = try await session.client.entry(key)
        if form.json { return try session.writeJSON(entry) }
        try Output.standard.write(session.style.whole(entry.value))
    }

    private func run(in session: OperatorSession, at revision: UInt64) async throws {
        guard let value = try await session.client.snapshot(at: revision).entries[key] else {
            throw ConfigError(.notFound, "no such key at revision \(revision)", key: key)
        }
        guard form.json else { return try Output.standard.write(session.style.whole(value)) }
        try session.writeResult { object in
            object.member("key") { $0.string(key) }
            object.member("value") { $0.value(value) }
        }
    }

    private func run(in session: OperatorSession, for context: EvaluationContext) async throws {
        let now = try await session.client.snapshot(at: moment.at)
        let result = try EvaluatedKey(key, in: NamespaceContents(of: now), for: context)
        guard form.json else { return try Output.standard.write(session.style.whole(result.value)) }
        try session.writeResult { object in
            object.member("revision") { $0.number(now.cursor.revision) }
            object.member("key") { $0.string(key) }
            object.member("value") { $0.value(result.value) }
            result.writeReason(to: &object)
        }
    }
}

struct ListCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the keys and their values.",
        usage: "livery list [<prefix>] [<options>]",
        discussion: """
            The last line is the revision of the namespace, for --expect of a write.

            EXAMPLES
              livery list app.
              livery set app.count=3 --expect "$(livery list --json | jq .revision)"

            As JSON: {"namespace": …, "revision": …, "entries": [{"key": …, "value": …, "revision": …, "created_at": …, \
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

    func run(in session: OperatorSession) async throws {
        let (all, revision) = try await session.client.entries()
        let entries = all.filter { $0.key.utf8.starts(with: (prefix ?? "").utf8) }
        try session.write(entries, of: .value, at: revision, Self.table(of: entries, clock: .local))
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

struct DiffCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show how a JSON document differs from the namespace.",
        usage: "livery diff <file> [<options>]",
        discussion: """
            + is a key that only the document has, - one that only the server has, ~ one with another value, from the \
            server's to the document's. Schemas and rules are compared if the document has a member "schemas" or "rules". \
            The changes are those that `livery import --replace` would make. The exit code is 0 if nothing differs, 1 if \
            something does, and higher after an error. A key of the document that cannot be stored is named on standard \
            error and counts as a difference.

            EXAMPLES
              livery diff config.json && echo 'config.json is what is published'
              livery export -n staging | livery diff - -n production

            As JSON: {"namespace": …, "revision": …, "same": …, "changes": [{"key": …, "old": …, "new": …}], \
            "schema_changes": [as changes], "rule_changes": [as changes], "left_out": [{"key": …, "code": …, "message": …, \
            "line": …, "column": …}]}; old is the server's, new the document's, null where there is none, and left_out lists \
            the first 100 keys that cannot be stored.
            """
    )

    @Argument(help: "The document, in any form; - for standard input.", completion: .file(extensions: ["json"]))
    var file: String

    @OptionGroup var moment: RevisionOption
    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func run(in session: OperatorSession) async throws {
        let document = try InputFile.document(at: file)
        let leftOut = LeftOutKeys(of: document)
        leftOut.tell()
        let withSchemas = document.kinds.contains(.schema)
        let state = try await session.client.snapshot(at: moment.at, withSchemas: withSchemas)
        let present = NamespaceContents(of: state)
        let next = DocumentContents(of: document).applied(to: present, replacing: true)
        let diff = leftOut.without(ConfigDiff(from: present, to: next))
        let isSame = diff.isEmpty && leftOut.count == 0
        if session.style.isJSON {
            try session.writeResult { object in
                object.member("revision") { $0.number(state.cursor.revision) }
                object.member("same") { $0.boolean(isSame) }
                for kind in EntryKind.allCases { diff.write(kind, to: &object) }
                leftOut.writeMember(to: &object)
            }
        } else {
            try session.write(diff.lines(style: session.style))
        }
        if !isSame { throw ProgramFailure(.negative) }
    }
}
