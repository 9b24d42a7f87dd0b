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
}
