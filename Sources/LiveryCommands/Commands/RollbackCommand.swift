// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigClient
import ConfigModel
import ConfigWire
import Files
import Programs
import TerminalUI

struct RollbackCommand: PublishingCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback",
        abstract: "Restore a revision, or some keys of it, as a new revision.",
        usage: "livery rollback <revision> [<options>]\nlivery rollback <key> ... --to <revision> [<options>]",
        discussion: """
            Shows the changes and prompts for confirmation; if not confirmed, the exit code is 1. --yes skips the \
            prompt and is required without a terminal; it needs --remove-all if all keys would be removed. If another \
            writer changes the namespace before you confirm, nothing is written and the exit code is 75. The JSON \
            Schemas and the rules of the namespace are restored together with its values.
            With --to, only the keys are restored: the value, the rule and the schema of each as they were at the \
            revision, so that a key that did not exist is removed. A pattern (app.colors.*) names a schema alone, and \
            $evaluators the shared evaluators; no other schema or rule changes.
            --dry-run shows the changes and writes nothing; the text output abbreviates a long list of keys.

            EXAMPLES
              livery rollback 41 --dry-run
              livery rollback 41 --yes -m 'Back to Monday'
              livery rollback 41 --yes --expect 43
              livery rollback app.last --to 41 --dry-run
              livery rollback app.last --to 41 --yes -m 'As it was on Monday'

            As JSON: {"namespace": …, "revision": …, "to": …, "changed": [key, …], "changed_schemas": [name, …], \
            "changed_rules": [key, …], "dry_run": …}; with --dry-run: {"namespace": …, "revision": …, "to": …, \
            "changed": [key, …], "changed_schemas": [name, …], "changed_rules": [key, …], "dry_run": …, \
            "changes": [{"key": …, "old": …, "new": …}], "schema_changes": [as changes], "rule_changes": [as changes]}.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The revision to restore; `livery history` lists them. With --to, the keys.",
            valueName: "revision-or-key"
        ),
        completion: KeyCompletion.names(of: .schema, .rule, .value)
    )
    var words: [String]

    @Option(help: ArgumentHelp("Restore only the keys, to this revision.", valueName: "revision"))
    var to: UInt64?

    @Flag(name: .shortAndLong, help: "Skip the confirmation.")
    var yes = false

    @OptionGroup var removal: RemovalOptions
    @OptionGroup var writing: PublishOptions
    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    var publishing: PublishOptions { writing }

    private var revision: UInt64 { to ?? words.first.flatMap { UInt64($0) } ?? 0 }
    /// The names to restore; `nil` for all.
    private var names: [String]? { to == nil ? nil : words }

    func validate() throws {
        if to == nil, words.count != 1 || UInt64(words[0]) == nil {
            throw ValidationError("Expected a revision, or KEY ... --to REVISION.")
        }
    }

    func check() throws(ConfigError) {
        try EntryKind.schema.check((names ?? []).filter { $0 != EntryKind.sharedRules })
    }

    func run(in session: OperatorSession) async throws {
        if proposal.draft != nil {
            let former = NamespaceContents(of: try await session.client.snapshot(at: revision, withSchemas: true))
            try await session.change(nil, writing) { present throws(ConfigError) in try plan(from: present, to: former)
            }
            return
        }
        if writing.dryRun { return try await showPlan(in: session) }
        let receipt = try await yes ? write(on: session.client) : writeConfirmed(in: session)
        if session.style.isJSON {
            return try session.writeResult { write(receipt, to: &$0) }
        }
        try session.write(sentence(on: receipt))
    }

    /// Writes without a question.
    private func write(on client: ServerClient) async throws(ConfigError) -> PublishReceipt {
        guard names != nil else {
            // The removals would not be shown.
            if !removal.removeAll { _ = try await plan(on: client) }
            return try await write(ConfigDiff([]), expecting: writing.expect, on: client)
        }
        return try await ServerClient.retrying(writing.expect == nil) { () async throws(ConfigError) in
            let (plan, cursor) = try await plan(on: client)
            return try await write(plan, expecting: writing.expect ?? cursor.revision, on: client)
        }
    }

    /// - Parameter plan: the changes of the names.
    private func write(
        _ plan: ConfigDiff,
        expecting expected: UInt64?,
        on client: ServerClient
    ) async throws(ConfigError) -> PublishReceipt {
        if names != nil { return try await client.publish(plan.request(expect: expected, message: writing.message)) }
        return try await client.rollback(RollbackRequest(to: revision, expect: expected, message: writing.message))
    }

    private func showPlan(in session: OperatorSession) async throws {
        var (plan, receipt) = try await dryRun(on: session.client)
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
        try session.write("Dry run at revision \(receipt.cursor.revision), nothing written.", .faint)
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
    /// - Throws: `rejected` if it would remove all keys, which was not allowed, without a question, or if values would violate
    ///   their schemas; `notFound` if a name has no entry at either revision.
    private func plan(on client: ServerClient) async throws(ConfigError) -> (plan: ConfigDiff, cursor: RevisionCursor) {
        let now = try await client.snapshot(withSchemas: true)
        let then = try await client.snapshot(at: revision, withSchemas: true)
        let (present, former) = (NamespaceContents(of: now), NamespaceContents(of: then))
        let plan = try plan(from: present, to: former)
        if names != nil { try present.check(plan) }
        if yes, !removal.removeAll { try present.refuseRemovingAll(plan, by: "the rollback") }
        return (plan, now.cursor)
    }

    private func plan(
        from present: NamespaceContents,
        to former: NamespaceContents
    ) throws(ConfigError) -> ConfigDiff {
        var plan = ConfigDiff(from: present, to: former)
        if let names {
            let unknown = names.first { name in
                EntryKind.allCases.allSatisfy { present[$0][name] == nil && former[$0][name] == nil }
            }
            if let unknown {
                let message = "key not found, now or at revision \(revision); nothing was written"
                throw ConfigError(.notFound, message, key: unknown)
            }
            plan = ConfigDiff(restoring: names, from: present, to: former)
        }
        return plan
    }

    /// The changes that the rollback would make, and the server's answer to a publish without changes, by which it checks
    /// the expected revision and the message. A rollback to the current revision would not do: the history might not reach
    /// back to that.
    private func dryRun(
        on client: ServerClient
    ) async throws(ConfigError) -> (plan: ConfigDiff, receipt: PublishReceipt) {
        try await ServerClient.retrying(writing.expect == nil) { () async throws(ConfigError) in
            let (plan, cursor) = try await plan(on: client)
            let expected = writing.expect ?? cursor.revision
            let request = ConfigDiff([]).request(expect: expected, message: writing.message)
            let receipt = try await client.publish(request)
            guard receipt.cursor == cursor else {
                throw ConfigError(.conflict, "the namespace has changed since you read it; run the command again")
            }
            return (plan, receipt)
        }
    }

    private func lines(of plan: ConfigDiff, in session: OperatorSession) -> [[Span]] {
        plan.isEmpty ? [["No changes."]] : session.excerpt(of: plan)
    }

    private func sentence(on receipt: PublishReceipt) -> String {
        let counts = [
            (receipt.changed.count, "key"), (receipt.changedSchemas.count, "schema"),
            (receipt.changedRules.count, "rule"),
        ]
        let parts = counts.filter { $0.0 > 0 }.map { $0.0.grouped(of: $0.1) }
        if parts.isEmpty { return "Already identical to revision \(revision)." }
        let what = parts.joined(separator: ", ")
        let subject = names.map { "\($0.joined(separator: ", ")) to revision" } ?? "revision"
        return "Revision \(receipt.cursor.revision) restores \(subject) \(revision): \(what) changed."
    }

    /// Shows the changes and asks for confirmation. At another revision they would not be those.
    @MainActor
    private func writeConfirmed(in session: OperatorSession) async throws -> PublishReceipt {
        try Confirmation.requireTerminal()
        var style = session.style
        // The question is on a terminal in any case.
        if !style.isTerminal { style.repertoire = .locale() }
        let (plan, receipt) = try await dryRun(on: session.client)
        for line in lines(of: plan, in: OperatorSession(client: session.client, style: style)) {
            Output.error.writeLine(String(style.line(line).dropLast()))
        }
        let subject = names?.joined(separator: ", ") ?? session.client.address.namespace
        guard Confirmation.isGiven("Roll back \(subject) to revision \(revision)?") else {
            throw ProgramFailure(.negative, "Not confirmed; nothing was written.")
        }
        return try await write(plan, expecting: receipt.cursor.revision, on: session.client)
    }
}
