// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import Foundation
import RemoteConfig

/// Follows a source that changes continuously, stores its state in a cache, and prints each state until it is killed.
///
/// Run as `CacheProbe FOLDER`. The first line is `start N`, the revision that the cache held, `start none`, or
/// `start broken`; then follows `shown N` for each revision.
@main
struct CacheProbe {
    static func main() async {
        let folder = CommandLine.arguments.dropFirst().first ?? "."
        let service = RemoteConfigService(
            source: EndlessSource(),
            cache: ConfigCache(app: "test", version: "1", folder: folder)
        )
        say("start \(start(of: service.state.current.snapshot))")
        await service.run()
    }

    private static func start(of snapshot: EntrySnapshot) -> String {
        guard let revision = snapshot.cursor?.revision else { return snapshot.entries.isEmpty ? "none" : "broken" }
        let isWhole = snapshot.entries.mapValues(\.value) == History.values(at: revision)
        return isWhole && snapshot.digest == History.digest(at: revision) ? "\(revision)" : "broken"
    }

    /// Writes a line at once, since the process may be killed before a flush.
    static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}

/// A history whose every state can be worked out from its revision, which changes one of ten keys.
enum History {
    static let epoch = Epoch(rawValue: 42)
    private static let padding = String(repeating: "x", count: 2000)

    static func values(at revision: UInt64) -> [String: EntryValue] {
        let recent = (max(revision, 9) - 9)...revision
        return Dictionary(recent.map { ("key\($0 % 10)", .string("\($0) \(padding)")) }) { $1 }
    }

    static func digest(at revision: UInt64) -> ConfigDigest {
        ConfigDigest(values(at: revision).map { ($0.key, $0.value) })
    }
}

/// A server that publishes as fast as it is listened to.
struct EndlessSource: ConfigSource {
    let name = "endless"
    let delivery = SourceDelivery.streamed(pollingEvery: .seconds(30))

    func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        guard let cursor = known.cursor else {
            let start = RevisionCursor(epoch: History.epoch, revision: 0)
            let digest = History.digest(at: 0)
            return SourceReading(
                .snapshot(ServerSnapshot(cursor: start, digest: digest, entries: History.values(at: 0)))
            )
        }
        let digest = History.digest(at: cursor.revision)
        let nothing = Changeset(from: cursor.revision, to: cursor.revision, digest: digest)
        return SourceReading(.changes(nothing, epoch: cursor.epoch))
    }

    func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError) {
        var revision = known.cursor?.revision ?? 0
        let cursor = RevisionCursor(epoch: History.epoch, revision: revision)
        await receive(.server(.hello(cursor, History.digest(at: revision))))
        while !Task.isCancelled {
            let key = "key\((revision + 1) % 10)"
            let changes = Changeset(
                from: revision,
                to: revision + 1,
                digest: History.digest(at: revision + 1),
                upserts: [key: History.values(at: revision + 1)[key] ?? .null]
            )
            await receive(.server(.change(changes, epoch: History.epoch)))
            revision += 1
            CacheProbe.say("shown \(revision)")
        }
    }
}
