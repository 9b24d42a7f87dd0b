import ArgumentParser
import ConfigModel
import RemoteConfig

/// `livery unset KEY …`
struct UnsetCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "unset",
        abstract: "Remove keys: all of them, as one revision, or none.",
        usage: "livery unset <key> ... [<options>]",
        discussion: """
            The values stay in the history. If one of the keys does not exist, none is removed and the exit code is 1.

            As JSON: {"namespace": …, "revision": …, "changes": [{"key": …, "old": …, "new": null}]}.
            """
    )

    @Argument(help: "The keys.", completion: KeyCompletion.kind)
    var keys: [String]

    @Flag(help: "Ignore keys that do not exist.")
    var ignoreMissing = false

    @OptionGroup var writing: WriteOptions
    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if writing.ifMatch != nil, keys.count > 1 { throw ValidationError("--if-match is for one key.") }
        if writing.ifMatch != nil, writing.message != nil {
            throw ValidationError("--message does not go with --if-match; use --expect with the namespace's revision.")
        }
    }

    func check() throws(ConfigError) {
        for key in keys { try Assignment.check(key) }
    }

    @MainActor
    func run(in session: OperatorSession) async throws {
        let snapshot = try await session.client.snapshot()
        let former = snapshot.entries.filter { keys.contains($0.key) }
        if !ignoreMissing, let missing = keys.first(where: { former[$0] == nil }) {
            throw ConfigError(.notFound, "no such key; nothing was removed", key: missing)
        }
        let diff = ConfigDiff(from: former, to: [:])
        // The condition has no key to apply to.
        if writing.ifMatch != nil, former.isEmpty {
            return try session.report(diff, revision: snapshot.cursor.revision)
        }
        guard let condition = try await writing.condition(on: session.client), let key = former.keys.first else {
            let receipt = try await session.client.publish(
                diff.request(expect: writing.expect, message: writing.message)
            )
            return try session.report(diff, revision: receipt.cursor.revision)
        }
        try await session.client.delete(key, if: condition)
        // The answer to a DELETE is empty; the history has the revision.
        let record = try await session.client.history(of: key, limit: 1).records.first
        try session.report(diff, revision: record?.revision ?? snapshot.cursor.revision)
    }
}
