// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigClient
import ConfigModel
import ConfigWire
import Files
import Programs

struct DraftNewCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Create a draft.",
        usage: """
            livery draft new <key>=<value> ... [<options>]
            livery draft new --undo <id> [<options>]
            """,
        discussion: """
            The first form is `livery set --draft` with a title and a time. --draft of the other commands that write creates a \
            draft of removals, rules, schemas and documents. With --undo, the draft restores all that an applied draft has \
            changed.

            EXAMPLES
              livery draft new app.color='#0000FF' --title 'Blue for summer'
              livery draft new app.sale:=true --apply-at 2031-03-31T09:00:00+02:00
              livery draft new --undo k3m9pq2r

            As JSON: {\(DraftCommand.shape), "changes": [{"key": …, "old": …, "new": …}], "schema_changes": [as changes], \
            "rule_changes": [as changes]}.
            """
    )

    @Argument(
        help: "KEY VALUE, or KEY=VALUE or KEY:=JSON for each of several keys, as for `livery set`.",
        completion: KeyCompletion.names(of: .value)
    )
    var assignments: [String] = []

    @OptionGroup var words: DraftWords

    @Option(help: ArgumentHelp("Apply it at this time.", valueName: "time"))
    var applyAt: String?

    @Option(
        help: ArgumentHelp("Restore what this applied draft has changed.", valueName: "id"),
        completion: KeyCompletion.drafts("applied")
    )
    var undo: String?

    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if assignments.isEmpty == (undo == nil) { throw ValidationError("Expected either KEY=VALUE or --undo ID.") }
        if let applyAt { try Program.checkIsText(applyAt, "The time") }
    }

    func check() throws(ConfigError) {
        if !assignments.isEmpty { _ = try Assignment.read(assignments, isLiteral: false) }
    }

    func run(in session: OperatorSession) async throws {
        var head = DraftHead(title: words.title, message: words.message, applyAt: applyAt)
        guard let undo else {
            let assignments = try TypedAssignments(assignments)
            try await session.propose(in: .new, nil, head) { present throws(ConfigError) in
                ConfigDiff(setting: try assignments.values(in: present, of: session), in: present)
            }
            return
        }
        let client = session.client
        let draft = try await client.draft(undo).summary
        guard draft.state == "applied" else {
            throw ConfigError(.rejected, "the draft '\(undo)' has not been applied; there is nothing to undo")
        }
        guard let revision = draft.revision, !draft.keys.isEmpty else {
            throw ConfigError(.rejected, "the draft '\(undo)' has changed no keys; there is nothing to undo")
        }
        let after = NamespaceContents(of: try await client.snapshot(at: revision, withSchemas: true))
        let before = NamespaceContents(of: try await client.snapshot(at: max(revision, 1) - 1, withSchemas: true))
        // With the rules of the keys that it removed. A draft that changed nothing names a revision of another writer.
        let own = Set(draft.keys + draft.keys.map(EntryKind.rule.key(of:)))
        let changed = Set(ConfigDiff(from: after, to: before).changes.map(\.entryKey)).intersection(own)
        head.title = head.title ?? "Undo: \(draft.title.excerpt(ofScalars: 180))"
        head.message = head.message ?? "Undo revision \(revision)"
        try await session.propose(in: .new, nil, head) { present throws(ConfigError) in
            ConfigDiff(ConfigDiff(from: present, to: before).changes.filter { changed.contains($0.entryKey) })
        }
    }
}

/// The title and the message of a draft.
struct DraftWords: ParsableArguments {
    @Option(help: ArgumentHelp("Set the title; of a new draft by default its message or its keys.", valueName: "text"))
    var title: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Record this message in the history when the draft is applied.", valueName: "text")
    )
    var message: String?

    func validate() throws {
        if let title { try Program.checkIsText(title, "The title") }
        if let message { try Program.checkIsText(message, "The message") }
    }
}

extension KeyChange {
    /// The key, as in `EntryKind`.
    var entryKey: String { kind.key(of: key) }
}

struct DraftEditCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change the title or the message of a draft, or take keys out of it.",
        usage: "livery draft edit <id> [<options>]",
        discussion: """
            --draft ID of the commands that write changes the proposed values, rules and schemas: `livery set KEY VALUE --draft \
            ID`. Each edit of the content ends the approvals of the draft. If somebody else edits it at the same time, nothing \
            is written and the exit code is 75.

            EXAMPLES
              livery set app.color '#0000EE' --draft k3m9pq2r
              livery draft edit k3m9pq2r --discard app.title rule:app.color
              livery draft edit k3m9pq2r --title 'Summer' -m 'Blue for summer'

            As JSON: {\(DraftCommand.shape)}.
            """
    )

    @OptionGroup var draft: DraftArgument
    @OptionGroup var words: DraftWords

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Take these keys out of the draft; schema:NAME and rule:KEY too.", valueName: "key")
    )
    var discard: [String] = []

    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if discard.isEmpty, words.title == nil, words.message == nil {
            throw ValidationError("Expected --title, --message or --discard.")
        }
    }

    func run(in session: OperatorSession) async throws {
        let former = try await session.client.draft(draft.id)
        let known = Set(former.operations.map(\.key))
        if let key = discard.first(where: { !known.contains($0) }) {
            throw ConfigError(.notFound, "the draft does not change this key", key: key)
        }
        var request = DraftRequest()
        (request.title, request.discard) = (words.title, discard)
        request.message = words.message.map { $0.isEmpty ? nil : $0 }
        try session.report(
            try await session.client.editDraft(draft.id, request, ifVersion: former.summary.version)
        )
    }
}

struct DraftRebaseCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebase",
        abstract: "Resolve the conflicts of a draft.",
        usage: """
            livery draft rebase <id> [<options>]
            livery draft rebase <id> --mine <key> ... --theirs <key> ... [<options>]
            """,
        discussion: """
            A key is in conflict if it has changed since it was put into the draft. --mine keeps the proposed value, \
            --theirs takes the key out of the draft, --set and --unset propose something else. If a choice is missing, \
            the conflicts are shown, nothing is written and the exit code is 65. schema:NAME, rule:KEY and '$policy' stand \
            for schemas, rules and the policy.

            EXAMPLES
              livery draft rebase k3m9pq2r
              livery draft rebase k3m9pq2r --mine app.color --theirs app.title
              livery draft rebase k3m9pq2r --set app.limit=30 --mine rule:app.color

            As JSON: {\(DraftCommand.shape)}.
            """
    )

    @OptionGroup var draft: DraftArgument

    @Option(parsing: .upToNextOption, help: ArgumentHelp("Keep the proposed values of these keys.", valueName: "key"))
    var mine: [String] = []

    @Option(parsing: .upToNextOption, help: ArgumentHelp("Take these keys out of the draft.", valueName: "key"))
    var theirs: [String] = []

    @Option(parsing: .upToNextOption, help: ArgumentHelp("Propose other values.", valueName: "key=value"))
    var set: [String] = []

    @Option(parsing: .upToNextOption, help: ArgumentHelp("Propose to remove these keys.", valueName: "key"))
    var unset: [String] = []

    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func check() throws(ConfigError) {
        if !set.isEmpty { _ = try Assignment.read(set, isLiteral: false) }
        try EntryKind.value.check(unset)
    }

    func run(in session: OperatorSession) async throws {
        let client = session.client
        let former = try await client.draft(draft.id)
        var request = RebaseRequest()
        (request.mine, request.theirs, request.unset) = (mine, theirs, Set(unset))
        if !set.isEmpty {
            let present = NamespaceContents(of: try await client.snapshot(withSchemas: true)).with(former)
            request.set = try TypedAssignments(set).values(in: present, of: session)
        }
        let chosen = Set(mine + theirs + request.operations.keys)
        let open = former.operations.filter { $0.isConflict && !chosen.contains($0.key) }
        guard open.isEmpty || former.summary.state != "open" else {
            var diff = try await session.diff(of: former)
            diff.changes.removeAll { change in !open.contains { $0.key == change.key } }
            try Output.error.write(diff.table(session.style))
            let keys = open.map(\.key).joined(separator: ", ")
            throw ConfigError(.rejected, "choose --mine, --theirs, --set or --unset for each conflict: \(keys)")
        }
        if chosen.isEmpty, !former.summary.missing.contains(where: { $0.hasPrefix("rebase") }) {
            session.warn("The draft has no conflicts.")
        }
        try session.report(try await client.rebaseDraft(draft.id, request, ifVersion: former.summary.version))
    }
}
