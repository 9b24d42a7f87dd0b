// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
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
            Prints a string as is and any other value as JSON on one line, followed by a line break. On a terminal, \
            JSON that is longer than a line is indented, and control characters are replaced; in a pipe the value is \
            exact. --json prints a string in quotes, too: `livery set KEY -` stores the same value from it, with its type.
            With --context, the rule of the key selects the value for this user; `livery explain` shows why.

            EXAMPLES
              livery get app.background.color
              livery get app.background.color --context user=42 --context language=es
              livery get app.menu | jq '.[0].title'
              livery get app.menu --at 41
              livery get app.menu --at 41 --json | livery set app.menu -

            As JSON, with --details: {"namespace": …, "key": …, "value": …, "revision": …, "created_at": …, "updated_at": \
            …, "etag": …}, where the etag is one for --if-match of `livery set`; with --at: {"namespace": …, "key": …, "value": …}; with --context: {"namespace": …, "revision": …, \
            "key": …, "value": …, "variant": …, "reason": …}, where revision is the revision of the namespace.
            """
    )

    @Argument(help: "The key.", completion: KeyCompletion.names(of: .value))
    var key: String

    @OptionGroup var audience: ContextOptions
    @OptionGroup var moment: RevisionOption
    @OptionGroup var access: ServerOptions
    @OptionGroup var form: EntryOutputOptions

    func check() throws(ConfigError) { try EntryKind.value.check(key) }

    func run(in session: OperatorSession) async throws {
        if let context = try audience.context { return try await run(in: session, for: context) }
        // Values of a preview have neither revisions nor times.
        if moment.at != nil || session.client.address.draft != nil { return try await run(in: session, at: moment.at) }
        let entry = try await session.client.entry(key)
        try write(entry.value, in: session) { object in
            entry.writeMembers(to: &object)
            if let tag = session.client.tag(of: entry) { object.member("etag") { $0.string(tag) } }
        }
    }

    private func write(
        _ value: EntryValue,
        in session: OperatorSession,
        details: (inout JSONWriter) -> Void
    ) throws {
        switch form.content {
        case .plain: try Output.standard.write(session.style.whole(value))
        case .json: try Output.standard.write(session.style.wholeJSON(value))
        case .details: try session.writeResult(details)
        }
    }

    private func run(in session: OperatorSession, at revision: UInt64?) async throws {
        guard let value = try await session.client.snapshot(at: revision).entries[key] else {
            throw ConfigError(.notFound, "key not found" + (revision.map { " at revision \($0)" } ?? ""), key: key)
        }
        try write(value, in: session) { object in
            object.member("key") { $0.string(key) }
            object.member("value") { $0.value(value) }
        }
    }

    private func run(in session: OperatorSession, for context: EvaluationContext) async throws {
        let now = try await session.client.snapshot(at: moment.at)
        let result = try EvaluatedKey(key, in: NamespaceContents(of: now), for: context)
        try write(result.value, in: session) { object in
            object.member("revision") { $0.number(now.cursor.revision) }
            object.member("key") { $0.string(key) }
            object.member("value") { $0.value(result.value) }
            result.writeReason(to: &object)
        }
    }
}
