// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigClient
import ConfigModel
import ConfigWire

/// The message and the conditions of a write.
struct WriteOptions: ParsableArguments {
    @OptionGroup var publishing: PublishOptions

    @Option(help: ArgumentHelp("Write only if the key is at this revision; for one key.", valueName: "revision"))
    var ifMatch: UInt64?

    func validate() throws {
        if publishing.expect != nil, ifMatch != nil {
            throw ValidationError("--expect and --if-match are mutually exclusive.")
        }
    }
}

extension WriteOptions {
    /// The condition on the key. A revision is one of the server's current epoch.
    func condition(on client: ServerClient) async throws(ConfigError) -> ServerClient.Condition? {
        guard let ifMatch else { return nil }
        return .isAt(RevisionCursor(epoch: try await client.info().head.epoch, revision: ifMatch))
    }
}

extension ServerClient {
    /// Checks a condition on a key as a write would, and writes nothing.
    ///
    /// - Returns: the revision that the namespace is at.
    /// - Throws: `conflict` if the condition is not met.
    func dryRun(_ condition: Condition, onKey key: String) async throws(ConfigError) -> UInt64 {
        let now = try await dryRun()
        let revision = try await Self.found(try await entry(key).revision)
        switch condition {
        case .isNew where revision != nil:
            throw ConfigError(.conflict, "the key already exists", key: key)
        case .isAt(let cursor) where revision != cursor.revision:
            let state = revision.map { "is at revision \($0)" } ?? "does not exist"
            throw ConfigError(.conflict, "the key \(state), expected revision \(cursor.revision)", key: key)
        default: return now
        }
    }
}
