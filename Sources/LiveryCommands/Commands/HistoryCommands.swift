// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigClient
import ConfigModel
import ConfigWire
import Files
import HTTPTransport
import Programs
import TerminalUI

struct HistoryCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show changes with their time, author and message, newest first.",
        usage: "livery history [<key>] [<options>]",
        discussion: """
            A revision is never split, so that --before misses nothing; a terminal shows only the first of its keys. A \
            change of a JSON Schema is listed as schema app.colors.*, and one of a rule as rule app.color.

            EXAMPLES
              livery history --limit 50
              livery history app.background.color
              livery history --schema 'app.colors.*'
              livery history --rule app.background.color

            As JSON: {"namespace": …, "history": [{"revision": …, "key": …, "value": …, "author": …, "message": …, \
            "updated_at": …}], "next": …}; value is null where the key was removed, and next is the --before of the next page, or null. A \
            schema or a rule has "kind": "schema" or "rule", its name as the key, and itself as the value.
            """
    )

    @Argument(help: "Only changes of this key.", completion: KeyCompletion.kind)
    var key: String?

    @Option(help: ArgumentHelp("Only changes of the schema of this name.", valueName: "name"))
    var schema: String?

    @Option(help: ArgumentHelp("Only changes of the rule of this key.", valueName: "key"))
    var rule: String?

    @Option(name: .shortAndLong, help: ArgumentHelp("The maximum number of changes.", valueName: "count"))
    var limit = 20

    @Option(help: ArgumentHelp("Only revisions lower than this one.", valueName: "revision"))
    var before: UInt64?

    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if limit < 1 { throw ValidationError("--limit is 1 or more.") }
        if [key, schema, rule].compactMap(\.self).count > 1 {
            throw ValidationError("Choose one of a key, --schema and --rule.")
        }
    }

    func check() throws(ConfigError) {
        if let key { try Assignment.check(key) }
        if let schema { try SchemaWords.check(name: schema) }
        if let rule, rule != EntryKind.sharedRules { try Assignment.check(rule) }
    }

    func run(in session: OperatorSession) async throws {
        let history = try await read(session).firstPage(of: limit)
        if history.records.isEmpty { await session.tellOfMissingNamespace() }
        if session.style.isJSON { return try session.writeResult(history.writeMembers) }
        let shown = Array(history.records.prefix(limit))
        try Output.standard.write(Self.table(of: shown, clock: .local).text(style: session.style))
        let rest = history.records.count - shown.count
        if rest > 0, let last = shown.last {
            try session.write("… and \(rest.grouped) more keys of revision \(last.revision)", .faint)
        }
        if let next = history.next { try session.write("There is more: --before \(next)", .faint) }
    }

    private var entry: String? {
        key ?? schema.map(EntryKind.schema.key) ?? rule.map(EntryKind.rule.key)
    }

    /// As many records as requested, in as many pages as the server needs.
    private func read(_ session: OperatorSession) async throws(ConfigError) -> HistoryMessage {
        var history = HistoryMessage(records: [], next: before)
        repeat {
            let count = min(limit - history.records.count, 100)
            let page = try await session.client.history(of: entry, before: history.next, limit: count)
            history.records += page.records
            history.next = page.records.isEmpty ? nil : page.next
        } while history.next != nil && history.records.count < limit
        return history
    }

    static func table(of records: [HistoryRecord], clock: ClockFormat) -> TextTable {
        TextTable(
            headings: ["REVISION", "WHEN", "AUTHOR", "KEY", "VALUE", "MESSAGE"],
            rows: records.map { record in
                [
                    "\(record.revision)",
                    Span(clock.dateAndClock(record.updatedAt), .faint),
                    Span(record.author ?? "-"),
                    Span(record.kind.label + record.key, .key),
                    record.value.map { Span($0.canonicalJSON) } ?? Span("removed", .removed),
                    Span(record.message ?? ""),
                ]
            }
        )
    }
}

extension HistoryMessage {
    /// The fewest whole revisions that have so many records. A server may send more: what is cut off starts the next
    /// page.
    func firstPage(of limit: Int) -> HistoryMessage {
        guard records.count > limit, limit > 0 else { return self }
        let last = records[limit - 1].revision
        let page = Array(records.prefix { $0.revision >= last })
        return page.count == records.count ? self : HistoryMessage(records: page, next: last)
    }
}

struct RollbackCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback",
        abstract: "Restore the namespace to a revision, as a new revision.",
        usage: "livery rollback <revision> [<options>]",
        discussion: """
            Shows the changes and asks for confirmation; the exit code after a "no" is 1. --yes does not ask, which is \
            needed where there is no terminal; if all keys would be removed, it needs --remove-all. If another writer changes the namespace before the answer, nothing changes, and the \
            exit code is 75. The JSON Schemas and the rules of the namespace go back together with its values.
            --dry-run shows the changes, as text those of many keys only in part, and changes nothing.

            EXAMPLES
              livery rollback 41 --dry-run
              livery rollback 41 --yes -m 'Back to Monday'
              livery rollback 41 --yes --expect 43

            As JSON: {"namespace": …, "revision": …, "to": …, "changed": [key, …], "changed_schemas": [name, …], \
            "changed_rules": [key, …], "dry_run": …}; with --dry-run: {"namespace": …, "revision": …, "to": …, \
            "changed": [key, …], "changed_schemas": [name, …], "changed_rules": [key, …], "dry_run": …, \
            "changes": [{"key": …, "old": …, "new": …}], "schema_changes": [as changes], "rule_changes": [as changes]}.
            """
    )

    @Argument(help: "The revision; `livery history` lists them.")
    var revision: UInt64

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var removal: RemovalOptions
    @OptionGroup var writing: PublishOptions
    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func run(in session: OperatorSession) async throws {
        if writing.dryRun { return try await showPlan(in: session) }
        // Without the question, the removals would not be shown.
        if yes, !removal.removeAll { _ = try await plan(on: session.client) }
        let expected = yes ? writing.expect : try await confirmed(in: session)
        let request = RollbackRequest(to: revision, expect: expected, message: writing.message)
        let receipt = try await session.client.rollback(request)
        if session.style.isJSON {
            return try session.writeResult { write(receipt, to: &$0) }
        }
        try session.write(sentence(on: receipt))
    }

    private func showPlan(in session: OperatorSession) async throws {
        var (plan, receipt) = try await rehearse(on: session.client)
        if session.style.isJSON {
            receipt.changed = plan.values.map(\.key)
            receipt.changedSchemas = plan.schemas.map(\.key)
            receipt.changedRules = plan.rules.map(\.key)
            return try session.writeResult { object in
                write(receipt, to: &object)
                for kind in EntryKind.allCases { plan.write(kind, to: &object) }
            }
        }
        try session.write(lines(of: plan, in: session))
        try session.write("Nothing written yet, at revision \(receipt.cursor.revision).", .faint)
    }

    private func write(_ receipt: PublishReceipt, to object: inout JSONWriter) {
        object.member("revision") { $0.number(receipt.cursor.revision) }
        object.member("to") { $0.number(revision) }
        object.member("changed") { $0.strings(receipt.changed) }
        object.member("changed_schemas") { $0.strings(receipt.changedSchemas) }
        object.member("changed_rules") { $0.strings(receipt.changedRules) }
        object.member("dry_run") { $0.boolean(writing.dryRun) }
    }

    /// The changes that the rollback would make, and the current revision.
    ///
    /// - Throws: `rejected` if it would remove all keys, which was not allowed, without a question.
    private func plan(on client: ServerClient) async throws(ConfigError) -> (plan: ConfigDiff, cursor: Cursor) {
        let now = try await client.snapshot(withSchemas: true)
        let then = try await client.snapshot(at: revision, withSchemas: true)
        let present = NamespaceContents(of: now)
        let plan = ConfigDiff(from: present, to: NamespaceContents(of: then))
        if yes, !removal.removeAll { try present.refuseRemovingAll(plan, by: "the rollback") }
        return (plan, now.cursor)
    }

    /// The changes that the rollback would make, and the server's answer to a publish without changes, by which it checks
    /// the expected revision and the message. A rollback to the current revision would not do: the history might not reach
    /// back to that.
    private func rehearse(
        on client: ServerClient
    ) async throws(ConfigError) -> (plan: ConfigDiff, receipt: PublishReceipt) {
        try await ServerClient.retrying(writing.expect == nil) { () async throws(ConfigError) in
            let (plan, cursor) = try await plan(on: client)
            let expected = writing.expect ?? cursor.revision
            let request = ConfigDiff([]).request(expect: expected, message: writing.message)
            let receipt = try await client.publish(request)
            guard receipt.cursor == cursor else {
                throw ConfigError(.conflict, "the namespace has changed since it was read")
            }
            return (plan, receipt)
        }
    }

    private func lines(of plan: ConfigDiff, in session: OperatorSession) -> [[Span]] {
        plan.isEmpty ? [["Nothing would change."]] : session.excerpt(of: plan)
    }

    private func sentence(on receipt: PublishReceipt) -> String {
        let counts = [
            (receipt.changed.count, "key"), (receipt.changedSchemas.count, "schema"),
            (receipt.changedRules.count, "rule"),
        ]
        let parts = counts.filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)\($0.0 == 1 ? "" : "s")" }
        if parts.isEmpty { return "Already equal to revision \(revision)." }
        let what = parts.joined(separator: ", ")
        return "Revision \(receipt.cursor.revision) equals revision \(revision): \(what) changed."
    }

    /// Shows the changes and asks.
    ///
    /// - Returns: the revision that they were shown for; at another one they would not be those.
    @MainActor
    private func confirmed(in session: OperatorSession) async throws -> UInt64 {
        try Confirmation.requireTerminal()
        var style = session.style
        // The question is on a terminal in any case.
        if !style.isTerminal { style.repertoire = .locale() }
        let (plan, receipt) = try await rehearse(on: session.client)
        for line in lines(of: plan, in: OperatorSession(client: session.client, style: style)) {
            Output.error.writeLine(String(style.line(line).dropLast()))
        }
        let name = session.client.address.namespace
        guard Confirmation.isGiven("Restore \(name) to revision \(revision)?") else {
            throw ProgramFailure(.negative, "Nothing was changed.")
        }
        return receipt.cursor.revision
    }
}

/// Asks for confirmation before a change that is hard to undo.
enum Confirmation {
    /// - Throws: a usage error where there is no terminal to ask on.
    static func requireTerminal() throws {
        guard StandardInput.isTerminal, Output.error.isTerminal else {
            throw ValidationError("There is no terminal to ask on; use --yes to go ahead without a question.")
        }
    }

    /// Asks on standard error; anything but `y` or `yes` is no, and so is the end of the input.
    static func isGiven(_ question: String) -> Bool {
        // A question that cannot be shown gets no answer, which is no.
        try? Output.error.write("\(question.sanitized()) [y/N] ")
        return isYes(readLine() ?? "")
    }

    static func isYes(_ answer: String) -> Bool {
        ["y", "yes"].contains(answer.trimmed.lowercased())
    }
}
