// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigClient
import ConfigModel
import ConfigWire
import Programs

struct UnsetCommand: PublishingCommand {
    static let configuration = CommandConfiguration(
        commandName: "unset",
        abstract: "Remove one or more keys, as one revision.",
        usage: "livery unset <key> ... [<options>]\nlivery unset --prefix <prefix> [<options>]",
        discussion: """
            The values remain in the history. If one of the keys does not exist, none is removed and the exit code is 1.
            --prefix removes all keys that begin with PREFIX; if none does, the exit code is 1 too. If these are all \
            keys of the namespace, nothing is removed unless --remove-all is given. After a conflict with another \
            writer the command is retried, unless --expect is given. The rules of removed keys are removed too; schemas \
            are left unchanged.

            EXAMPLES
              livery unset app.notice
              livery unset --prefix app.beta. --dry-run

            As JSON: \(EntryKind.changesShape(of: .value, new: "null")).
            """
    )

    @Argument(help: "The keys.", completion: KeyCompletion.names(of: .value))
    var keys: [String] = []

    @Option(
        help: ArgumentHelp("Remove all keys with this prefix.", valueName: "prefix"),
        completion: KeyCompletion.names(of: .value)
    )
    var prefix: String?

    @Flag(help: "Ignore keys that do not exist.")
    var ignoreMissing = false

    @OptionGroup var removal: RemovalOptions
    @OptionGroup var writing: WriteOptions
    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    var publishing: PublishOptions { writing.publishing }

    func validate() throws {
        if keys.isEmpty == (prefix == nil) { throw ValidationError("Expected either keys or --prefix PREFIX.") }
        if prefix?.isEmpty == true { throw ValidationError("--prefix must not be empty.") }
        if removal.removeAll, prefix == nil { throw ValidationError("\(RemovalOptions.flag) requires --prefix.") }
        if writing.ifMatch != nil, keys.count != 1 { throw ValidationError("--if-match accepts only one key.") }
        if writing.ifMatch != nil, writing.publishing.message != nil {
            throw ValidationError(
                "--message cannot be combined with --if-match; use --expect with the revision of the namespace."
            )
        }
    }

    func check() throws(ConfigError) { try EntryKind.value.check(keys) }

    func run(in session: OperatorSession) async throws {
        let publishing = writing.publishing
        if let prefix {
            try await session.change(.value, publishing, isAtomic: true) { present throws(ConfigError) in
                try diff(removing: prefix, from: present)
            }
        } else if writing.ifMatch != nil {
            try await removeIfMatched(in: session)
        } else {
            try await session.remove(keys, of: .value, ignoringMissing: ignoreMissing, publishing)
        }
    }

    private func diff(removing prefix: String, from present: NamespaceContents) throws(ConfigError) -> ConfigDiff {
        let former = present.values.filter { $0.key.utf8.starts(with: prefix.utf8) }
        if former.isEmpty, !ignoreMissing {
            throw ConfigError(.notFound, "no keys with the prefix '\(prefix)'; nothing was removed")
        }
        let diff = present.removal(of: former)
        if !removal.removeAll { try present.refuseRemovingAll(diff, by: "--prefix \(prefix)") }
        return diff
    }

    private func removeIfMatched(in session: OperatorSession) async throws {
        let client = session.client
        let now = try await client.snapshot()
        let present = NamespaceContents(of: now)
        let former = try present.entries(keys, of: .value, ignoringMissing: ignoreMissing)
        let diff = present.removal(of: former)
        var revision = now.cursor.revision
        // Without a key there is nothing that the condition applies to.
        if let key = former.keys.first, let condition = try await writing.condition(on: client) {
            if writing.publishing.dryRun {
                revision = try await client.dryRun(condition, onKey: key)
            } else {
                try await client.delete(key, if: condition)
                // The answer to a DELETE is empty; the history has the revision.
                revision = try await client.historyPage(of: key, limit: 1).records.first?.revision ?? revision
            }
        }
        try session.report(diff, revision: revision, dryRun: writing.publishing.dryRun)
    }
}
