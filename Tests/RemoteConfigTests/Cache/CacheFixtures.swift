// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Files
import Foundation
import Logging
import Synchronization
import SystemPackage
import TestSupport

@testable import RemoteConfig

extension ConfigEntries {
    /// Entries with these values.
    init(_ values: [String: EntryValue], at milliseconds: Int64 = 5, source: String = "s") {
        self.init()
        for (key, value) in values {
            let changedAt = Timestamp(milliseconds: milliseconds)
            self[key] = ConfigEntry(value: value, source: source, changedAt: changedAt)
        }
    }
}

/// A history of states of a server, each of which differs from the one before in a few keys.
struct CacheHistory {
    static let epoch = Epoch(rawValue: 7)
    /// The values at each revision, from 0 on.
    let states: [ConfigEntries]

    init(count: Int, keys: Int = 5, padding: Int = 10) {
        states = (0..<count).map { revision in
            var values: [String: EntryValue] = ["revision": .integer(revision)]
            for key in 0..<keys where (revision + key) % 3 != 0 {
                values["key\(key)"] = .string("\(revision)" + String(repeating: "x", count: padding))
            }
            return ConfigEntries(values)
        }
    }

    func mark(_ revision: Int) -> CacheMark {
        CacheMark(
            cursor: RevisionCursor(epoch: Self.epoch, revision: UInt64(revision)),
            digest: ConfigDigest(states[revision].map { ($0.key, $0.value.value) }),
            validators: SourceValidators(entityTag: "\"\(revision)\""),
            modifiedAt: Timestamp(milliseconds: Int64(revision))
        )
    }

    func changedKeys(from: Int, to: Int) -> [String] {
        let (old, new) = (states[from], states[to])
        return Set(old.keys).union(new.keys).filter { old[$0]?.value != new[$0]?.value }.sorted()
    }

    /// Keeps a revision after another one.
    ///
    /// - Throws: The error of a file that cannot be written.
    func keep(
        _ revision: Int,
        after base: Int? = nil,
        isReset: Bool = false,
        in file: inout CacheFile,
        at now: Duration = .zero
    ) throws {
        let base = base ?? revision - 1
        let isFirst = base < 0
        let step = CacheStep(
            entries: states[revision],
            changedKeys: isFirst ? states[revision].keys.sorted() : changedKeys(from: base, to: revision),
            base: isFirst ? CacheMark() : mark(base),
            mark: mark(revision),
            isReset: isReset
        )
        file.keep(step, at: now)
        if let problem = file.problem { throw problem }
    }

    /// The revision of a cached state; `nil` if there was no such state.
    func revision(of state: CachedState?) -> Int? {
        guard let state, let cursor = state.mark.cursor, cursor.epoch == Self.epoch else { return nil }
        let revision = Int(cursor.revision)
        guard states.indices.contains(revision), state.mark == mark(revision) else { return nil }
        return state.entries.mapValues(\.value) == states[revision].mapValues(\.value) ? revision : nil
    }
}

extension CacheFile {
    init(_ folder: String, disk: any Disk = SystemDisk(), identity: String = "id", log: Log<String> = Log()) {
        var cache = ConfigCache(app: "test", version: "1.2.3", folder: folder)
        cache.disk = disk
        self.init(in: cache, ofSource: identity, log)
    }

    /// The file as it is used by a source with the name `s`.
    init(in cache: ConfigCache, ofSource identity: String, context: EvaluationContext? = nil, _ log: Log<String>) {
        let pauses = RetryDelays(policy: ConnectionPolicy()) { 0.5 }
        self.init(
            in: cache,
            ofSource: identity,
            context: context,
            pauses,
            SyncLog(source: "s", logger: .noting(in: log))
        )
    }
}

/// A folder with the cache file of one source, its bytes, and the warnings of its readers.
struct CacheDesk {
    let folder: TemporaryDirectory
    let warnings = Log<String>()

    init() throws { folder = try TemporaryDirectory() }

    /// The file as a program that has just started sees it.
    func file(_ identity: String = "id") -> CacheFile { CacheFile(folder["cache"], identity: identity, log: warnings) }

    var path: String { ConfigCache(app: "test", version: "1", folder: folder["cache"]).path(ofSource: "id") }

    var bytes: [UInt8] {
        get throws { [UInt8](try Data(contentsOf: URL(filePath: path))) }
    }

    /// The revision of a history with which the next start begins.
    func kept(of history: CacheHistory) -> Int? {
        var file = file()
        return history.revision(of: file.load())
    }

    /// Writes into the file that is there, which stays the same file.
    func write(_ bytes: some Sequence<UInt8>) throws { try Data(bytes).write(to: URL(filePath: path)) }

    var isSetAside: Bool { FileManager.default.fileExists(atPath: path + ".set-aside") }
}

extension Logger {
    /// A logger whose messages the test reads.
    static func noting(in log: Log<String>) -> Logger {
        Logger(label: "test") { _ in NotingHandler(log: log) }
    }
}

private struct NotingHandler: LogHandler {
    let log: Log<String>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let reason = event.metadata?["error.message"].map { ": \($0)" } ?? ""
        log.append("\(event.level): \(event.message)\(reason)")
    }
}
