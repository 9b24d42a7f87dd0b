// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigClient
import ConfigModel
import ConfigWire

/// The message and the conditions of a write.
struct WriteOptions: ParsableArguments {
    @OptionGroup var publishing: PublishOptions

    @Option(
        help: ArgumentHelp(
            "Write only if the key has this revision, or this \"etag\" of `livery get --details`; for one key.",
            valueName: "revision"
        )
    )
    var ifMatch: EntryVersion?

    func validate() throws {
        if publishing.expect != nil, ifMatch != nil {
            throw ValidationError("--expect and --if-match are mutually exclusive.")
        }
        if publishing.proposal.draft != nil, ifMatch != nil {
            throw ValidationError("--draft and --if-match are mutually exclusive.")
        }
    }
}

/// The version of an entry that a write expects.
enum EntryVersion: ExpressibleByArgument {
    case revision(UInt64)
    /// The revision with the epoch and the digest of the value.
    case tag(String)

    init?(argument: String) {
        if let revision = UInt64(argument) {
            self = .revision(revision)
            return
        }
        let parts = argument.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, RevisionCursor(parts[0]) != nil, ConfigDigest(parts[1]) != nil else { return nil }
        self = .tag(argument)
    }
}

extension WriteOptions {
    /// The condition on the key. A revision alone is one of the server's current epoch.
    func condition(on client: ServerClient) async throws(ConfigError) -> ServerClient.Condition? {
        switch ifMatch {
        case nil: return nil
        case .tag(let tag): return .matches(tag: tag)
        case .revision(let revision):
            return .isAt(RevisionCursor(epoch: try await client.info().head.epoch, revision: revision))
        }
    }
}

extension ServerClient {
    /// Checks a condition on a key as a write would, and writes nothing.
    ///
    /// - Returns: the revision that the namespace is at.
    /// - Throws: `conflict` if the condition is not met.
    func dryRun(_ condition: Condition, onKey key: String) async throws(ConfigError) -> UInt64 {
        let now = try await dryRun()
        let entry = try await Self.found(try await entry(key))
        let state = entry.map { "is at revision \($0.revision)" } ?? "does not exist"
        switch condition {
        case .isNew where entry != nil:
            throw ConfigError(.conflict, "the key already exists", key: key)
        case .isAt(let cursor) where entry?.revision != cursor.revision:
            throw ConfigError(.conflict, "the key \(state), expected revision \(cursor.revision)", key: key)
        case .matches(let expected) where entry.flatMap(tag) != expected:
            throw ConfigError(.conflict, "the key \(state), expected \(expected)", key: key)
        default: return now
        }
    }
}

extension ValueKind: ExpressibleByArgument {}

struct ValueKindOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("Set the type of the value: \(ValueKind.allCases.map(\.rawValue).joined(separator: ", ")).")
    )
    var type: ValueKind?
}
