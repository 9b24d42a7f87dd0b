// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import RemoteConfig

/// Follows a source that changes without end, keeps its state in a cache, and says what it shows, until it is killed.
///
/// Run as `CacheProbe FOLDER`. The first line is `start N`, the revision that the cache held, `start none`, or
/// `start broken`; then follows `shown N` for each revision.
@main
struct CacheProbe {
    static func main() async {
        let folder = CommandLine.arguments.dropFirst().first ?? "."
        let service = SyncService(source: EndlessSource(), cache: ConfigCache(folder: folder, programVersion: "1"))
        say("start \(start(of: service.state.current.snapshot))")
        await service.run()
    }

    private static func start(of snapshot: EntrySnapshot) -> String {
        guard let revision = snapshot.cursor?.revision else { return snapshot.entries.isEmpty ? "none" : "broken" }
        let isWhole = snapshot.entries.mapValues(\.value) == History.values(at: revision)
        return isWhole && snapshot.digest == History.digest(at: revision) ? "\(revision)" : "broken"
    }

    /// Writes a line at once, since the process may not live to flush anything.
    static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}

/// A history whose every state can be worked out from its revision.
enum History {
    static let epoch = Epoch(rawValue: 42)
    private static let keyCount: UInt64 = 200
    /// A key changes with every so many-th revision.
    private static let period: UInt64 = 50

    static func values(at revision: UInt64) -> [String: EntryValue] {
        var values: [String: EntryValue] = [:]
        for key in 0..<keyCount { values["key\(key)"] = value(of: key, at: revision) }
        return values
    }

    /// What a revision changes, with the values before it.
    static func changes(at revision: UInt64) -> [(key: String, old: EntryValue?, new: EntryValue)] {
        stride(from: revision % period, to: keyCount, by: Int(period)).map { key in
            let old = revision == 0 ? nil : value(of: key, at: revision - 1)
            return ("key\(key)", old, value(of: revision))
        }
    }

    static func digest(at revision: UInt64) -> ConfigDigest {
        ConfigDigest(values(at: revision).map { ($0.key, $0.value) })
    }

    /// The value of a key; none before its first revision.
    private static func value(of key: UInt64, at revision: UInt64) -> EntryValue? {
        let first = key % period
        return first > revision ? nil : value(of: revision - (revision - first) % period)
    }

    private static func value(of revision: UInt64) -> EntryValue { .string("\(revision) \(padding)") }

    private static let padding = String(repeating: "x", count: 200)
}

/// A server that publishes as fast as it is listened to.
struct EndlessSource: ConfigSource {
    let name = "endless"
    let delivery = SourceDelivery.streamed(pollingEvery: .seconds(30))

    func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        guard let cursor = known.cursor else {
            let start = Cursor(epoch: History.epoch, revision: 0)
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
        var digest = History.digest(at: revision)
        await receive(.server(.hello(Cursor(epoch: History.epoch, revision: revision), digest)))
        while !Task.isCancelled {
            var upserts: [String: EntryValue] = [:]
            for (key, old, new) in History.changes(at: revision + 1) {
                if let old { digest.remove(old, forKey: key) }
                digest.insert(new, forKey: key)
                upserts[key] = new
            }
            let changes = Changeset(from: revision, to: revision + 1, digest: digest, upserts: upserts)
            await receive(.server(.change(changes, epoch: History.epoch)))
            revision += 1
            CacheProbe.say("shown \(revision)")
        }
    }
}
