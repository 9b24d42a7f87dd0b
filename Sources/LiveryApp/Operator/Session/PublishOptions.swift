import ArgumentParser
import ConfigModel
import RemoteConfig

/// The message and the condition of a write to schemas or rules.
struct PublishOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: ArgumentHelp("Why, for the history.", valueName: "text"))
    var message: String?

    @Option(
        help: ArgumentHelp("Write only if the namespace is at this revision, or exit with 75.", valueName: "revision")
    )
    var expect: UInt64?
}

extension OperatorSession {
    /// Changes schemas or rules and says what became of them.
    ///
    /// - Parameters:
    ///   - state: what the namespace holds, with its schemas.
    ///   - dryRun: whether only to say what would change.
    func publish(
        _ diff: ConfigDiff,
        of kind: EntryKind,
        in state: ServerSnapshot,
        _ writing: PublishOptions,
        dryRun: Bool = false
    ) async throws {
        try NamespaceContents(of: state).check(diff)
        var revision = state.cursor.revision
        if !dryRun {
            let request = diff.request(expect: writing.expect, message: writing.message)
            revision = try await client.publish(request).cursor.revision
        }
        if style.isJSON {
            return try writeResult { object in
                object.member("revision") { $0.number(revision) }
                diff.write(kind, to: &object)
            }
        }
        let end =
            diff.isEmpty
            ? "Up to date at revision \(revision)."
            : dryRun ? "Nothing written yet, at revision \(revision)." : "Revision \(revision)."
        try write(excerpt(of: diff) + [[Span(end, .faint)]])
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
