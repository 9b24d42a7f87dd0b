// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigClient
import ConfigModel
import ConfigWire
import Files
import Programs
import TerminalUI

struct RollbackCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback",
        abstract: "Restore the contents of a revision, as a new revision.",
        usage: "livery rollback <revision> [<options>]",
        discussion: """
            Shows the changes and prompts for confirmation; if not confirmed, the exit code is 1. --yes skips the \
            prompt and is required without a terminal; it needs --remove-all if all keys would be removed. If another \
            writer changes the namespace before you confirm, nothing is written and the exit code is 75. The JSON \
            Schemas and the rules of the namespace are restored together with its values.
            --dry-run shows the changes and writes nothing; the text output abbreviates a long list of keys.

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

    @Argument(help: "The revision to restore; `livery history` lists them.")
    var revision: UInt64

    @Flag(name: .shortAndLong, help: "Skip the confirmation.")
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
    /// - Throws: `rejected` if it would remove all keys, which was not allowed, without a question.
    private func plan(on client: ServerClient) async throws(ConfigError) -> (plan: ConfigDiff, cursor: RevisionCursor) {
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
        return "Revision \(receipt.cursor.revision) restores revision \(revision): \(what) changed."
    }

    /// Shows the changes and asks for confirmation.
    ///
    /// - Returns: the revision that they were shown for; at another one they would not be those.
    @MainActor
    private func confirmed(in session: OperatorSession) async throws -> UInt64 {
        try Confirmation.requireTerminal()
        var style = session.style
        // The question is on a terminal in any case.
        if !style.isTerminal { style.repertoire = .locale() }
        let (plan, receipt) = try await dryRun(on: session.client)
        for line in lines(of: plan, in: OperatorSession(client: session.client, style: style)) {
            Output.error.writeLine(String(style.line(line).dropLast()))
        }
        let name = session.client.address.namespace
        guard Confirmation.isGiven("Roll back \(name) to revision \(revision)?") else {
            throw ProgramFailure(.negative, "Not confirmed; nothing was written.")
        }
        return receipt.cursor.revision
    }
}
