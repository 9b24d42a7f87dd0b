// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigClient
import ConfigModel
import ConfigWire
import Programs

/// The message and the condition of a write, and whether it is only shown.
struct PublishOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: ArgumentHelp("The reason for the change, for the history.", valueName: "text"))
    var message: String?

    @Option(
        help: ArgumentHelp("Write only if the namespace is at this revision, or exit with 75.", valueName: "revision")
    )
    var expect: UInt64?

    @Flag(help: "Show the changes without making them.")
    var dryRun = false

    func validate() throws {
        if let message { try Program.checkIsText(message, "The message") }
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
        if writing.dryRun { return try await rehearse(expect: writing.expect, message: writing.message) }
        return try await publish(diff.request(expect: writing.expect, message: writing.message)).cursor.revision
    }

    /// Has the server check the token, the expected revision and the message as for a write, and writes nothing.
    @discardableResult
    func rehearse(expect: UInt64? = nil, message: String? = nil) async throws(ConfigError) -> UInt64 {
        try await publish(ConfigDiff([]).request(expect: expect, message: message)).cursor.revision
    }
}

extension OperatorSession {
    /// Changes schemas or rules and says what became of them.
    ///
    /// - Parameter state: what the namespace holds, with its schemas.
    func publish(
        _ diff: ConfigDiff,
        of kind: EntryKind,
        in state: ServerSnapshot,
        _ writing: PublishOptions
    ) async throws {
        try NamespaceContents(of: state).check(diff)
        let revision = try await client.publish(diff, writing)
        try report(diff, of: kind, revision: revision, dryRun: writing.dryRun)
    }

    /// Removes schemas or rules by their names, all of them or none, and says what became of them.
    ///
    /// - Throws: `notFound` if one does not exist, unless that is ignored.
    func remove(
        _ names: [String],
        of kind: EntryKind,
        ignoringMissing: Bool,
        _ writing: PublishOptions
    ) async throws {
        let now = try await client.snapshot(withSchemas: true)
        let contents = NamespaceContents(of: now)
        let present = kind == .schema ? contents.schemas : contents.rules
        if !ignoringMissing, let missing = names.first(where: { present[$0] == nil }) {
            throw ConfigError(.notFound, "no such \(kind.rawValue); nothing was removed", key: missing)
        }
        let diff = ConfigDiff(kind, from: present.filter { names.contains($0.key) }, to: [:])
        try await publish(diff, of: kind, in: now, writing)
    }
}
