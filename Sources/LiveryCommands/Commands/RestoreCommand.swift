// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigClient
import ConfigModel
import ConfigWire
import Programs

struct RestoreCommand: PublishingCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore deleted keys, as one revision.",
        usage: "livery restore <key> ... [<options>]",
        discussion: """
            Each key gets the value, the rule and the schema that it had before it was deleted, as by `livery rollback \
            KEY --to REVISION` with the revision before. If one of the keys exists, or was never deleted, nothing is \
            written. After a conflict with another writer the command is retried, unless --expect is given.

            EXAMPLES
              livery restore app.notice --dry-run
              livery restore app.notice app.color -m 'Deleted by mistake'

            As JSON: \(EntryKind.changesShape()).
            """
    )

    @Argument(help: "The deleted keys.", completion: KeyCompletion.deletedKeys())
    var keys: [String]

    @OptionGroup var writing: PublishOptions
    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    var publishing: PublishOptions { writing }

    func check() throws(ConfigError) { try EntryKind.value.check(keys) }

    func run(in session: OperatorSession) async throws {
        let former = try await contentsBeforeDeletion(on: session.client)
        try await session.change(nil, writing, isAtomic: true) { present throws(ConfigError) in
            if let key = keys.first(where: { present.values[$0] != nil }) { throw Self.exists(key) }
            return ConfigDiff(restoring: keys, from: present, to: former)
        }
    }

    /// The entries of the keys as they were before each was deleted.
    private func contentsBeforeDeletion(on client: ServerClient) async throws(ConfigError) -> NamespaceContents {
        var (contents, states) = (NamespaceContents(), [UInt64: NamespaceContents]())
        for key in keys {
            guard let record = try await client.historyPage(of: key, limit: 1).records.first else {
                throw ConfigError(.notFound, "key not found in the history; nothing was written", key: key)
            }
            if record.value != nil { throw Self.exists(key) }
            let revision = max(record.revision, 1) - 1
            if states[revision] == nil {
                states[revision] = NamespaceContents(of: try await client.snapshot(at: revision, withSchemas: true))
            }
            for kind in EntryKind.allCases { contents[kind][key] = states[revision]?[kind][key] }
        }
        return contents
    }

    private static func exists(_ key: String) -> ConfigError {
        let advice = "for an earlier value, use `livery rollback \(key) --to REVISION`"
        return ConfigError(.rejected, "the key exists, nothing was written; \(advice)", key: key)
    }
}
