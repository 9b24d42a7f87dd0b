// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigClient
import ConfigModel
import ConfigWire
import Programs
import TerminalUI

/// The message and the condition of a write, and whether it is only shown.
struct PublishOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: ArgumentHelp("Record this message in the history.", valueName: "text"))
    var message: String?

    @Option(
        help: ArgumentHelp("Write only if the namespace is at this revision, else exit with 75.", valueName: "revision")
    )
    var expect: UInt64?

    @Flag(help: "Show the changes without writing them.")
    var dryRun = false

    @OptionGroup var proposal: DraftOption

    @Option(
        help: ArgumentHelp("Write without the required review, as an admin, for this reason.", valueName: "reason")
    )
    var emergency: String?

    func validate() throws {
        if let message { try Program.checkIsText(message, "The message") }
        if let emergency {
            try Program.checkIsText(emergency, "The reason")
            // It is sent as a field, which is one line.
            if emergency.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
                throw ValidationError("--emergency must be one line without control characters.")
            }
        }
        guard proposal.draft != nil else { return }
        if expect != nil {
            throw ValidationError(
                "--draft and --expect are mutually exclusive; a draft keeps the revision of each key."
            )
        }
        if emergency != nil { throw ValidationError("--draft and --emergency are mutually exclusive.") }
    }
}

/// Permission for a write that would remove all keys of a namespace, which is rarely intended: the document was empty, or
/// the wrong namespace was named.
struct RemovalOptions: ParsableArguments {
    static let flag = "--remove-all"

    @Flag(help: "Allow the write to remove all keys of the namespace.")
    var removeAll = false
}

extension ServerClient {
    /// Publishes a difference. With `--dry-run` the request has no changes: the server then checks the token, the
    /// expected revision and the message as for any other write, and writes nothing.
    ///
    /// - Returns: the revision that the namespace then is at.
    func publish(_ diff: ConfigDiff, _ writing: PublishOptions) async throws(ConfigError) -> UInt64 {
        if writing.dryRun { return try await dryRun(expect: writing.expect, message: writing.message) }
        return try await publish(diff.request(expect: writing.expect, message: writing.message)).cursor.revision
    }
}

extension OperatorSession {
    /// Reads the namespace, publishes a change of it or puts that into a draft, and reports it.
    ///
    /// - Parameters:
    ///   - kind: the kind of the entries that are changed; `nil` for all.
    ///   - isAtomic: whether another write in between is a conflict. After a conflict the change is then made again, unless
    ///     `--expect` names the revision.
    ///   - change: the change of what the namespace contains.
    /// - Returns: what the namespace contained.
    @discardableResult
    func change(
        _ kind: EntryKind?,
        _ writing: PublishOptions,
        isAtomic: Bool = false,
        _ change: (NamespaceContents) throws(ConfigError) -> ConfigDiff
    ) async throws -> NamespaceContents {
        if let target = writing.proposal.draft {
            let head = DraftHead(message: writing.message)
            return try await propose(in: target, kind, head, dryRun: writing.dryRun, change)
        }
        let isRetried = isAtomic && writing.expect == nil
        let (present, diff, revision) = try await ServerClient.retrying(isRetried) { () async throws(ConfigError) in
            let now = try await client.snapshot(withSchemas: true)
            let present = NamespaceContents(of: now)
            let diff = try change(present)
            try present.check(diff)
            var writing = writing
            if isRetried { writing.expect = now.cursor.revision }
            return (present, diff, try await client.publish(diff, writing))
        }
        try report(diff, of: kind, revision: revision, dryRun: writing.dryRun)
        return present
    }

    /// Removes entries by their names, all of them or none, and reports that.
    ///
    /// - Throws: `notFound` if one does not exist, unless that is ignored.
    func remove(_ names: [String], of kind: EntryKind, ignoringMissing: Bool, _ writing: PublishOptions) async throws {
        try await change(kind, writing) { present throws(ConfigError) in
            let former = try present.entries(names, of: kind, ignoringMissing: ignoringMissing)
            return present.removal(of: former, kind)
        }
    }
}

extension NamespaceContents {
    /// The changes that remove entries of a kind, with the rules of removed keys, which the server removes with them.
    func removal(of former: [String: EntryValue], _ kind: EntryKind = .value) -> ConfigDiff {
        let rules = kind == .value ? rules.filter { former[$0.key] != nil } : [:]
        return ConfigDiff(
            ConfigDiff(kind, from: former, to: [:]).changes + ConfigDiff(.rule, from: rules, to: [:]).changes
        )
    }

    /// The entries of these names.
    ///
    /// - Throws: `notFound` if one does not exist, unless that is ignored.
    func entries(
        _ names: [String],
        of kind: EntryKind,
        ignoringMissing: Bool
    ) throws(ConfigError) -> [String: EntryValue] {
        if !ignoringMissing, let missing = names.first(where: { self[kind][$0] == nil }) {
            throw ConfigError(.notFound, "\(kind.noun) not found; nothing was removed", key: missing)
        }
        return self[kind].filter { names.contains($0.key) }
    }
}

extension NamespaceContents {
    /// The number of entries of all kinds.
    private var count: Int { EntryKind.allCases.reduce(0) { $0 + self[$1].count } }

    /// Refuses changes that remove every key, or every entry of a namespace without keys.
    ///
    /// - Parameter action: what makes the changes, such as `--replace`.
    /// - Throws: `rejected`.
    func refuseRemovingAll(_ changes: ConfigDiff, by action: String) throws(ConfigError) {
        let what: String
        if changes.removed > 0, changes.removed == values.count {
            what = values.count == 1 ? "the only key" : "all \(values.count.grouped) keys"
        } else if !changes.isEmpty, changes.changes.allSatisfy({ $0.new == nil }), changes.changes.count == count {
            what = "all schemas and rules"
        } else {
            return
        }
        let reason = "nothing was written: \(action) would remove \(what) of the namespace"
        throw ConfigError(.rejected, "\(reason); if intended, add \(RemovalOptions.flag)")
    }
}

extension ViolationMessage {
    /// The violation in one line that is safe on any terminal.
    var line: String { words.sanitized() }
}
