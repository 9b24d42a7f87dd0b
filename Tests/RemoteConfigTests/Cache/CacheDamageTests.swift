// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import InMemoryLogging
import Logging
import TestSupport
import Testing

@testable import RemoteConfig

/// Of a file that was cut, overwritten or extended, the records count up to the first that does not verify.
@Suite(.timeLimit(.minutes(5)))
struct CacheDamageTests {
    enum Damage: CaseIterable {
        /// By a program that died while it wrote.
        case cut
        /// By a loss of power: the length was written, the content was not.
        case zeros
        case flippedBit
        case garbage
    }

    private static func damaged(_ bytes: [UInt8], by damage: Damage, at position: Int) -> [UInt8] {
        var bytes = bytes
        switch damage {
        case .cut: bytes.removeSubrange(position...)
        case .zeros: bytes[position...] = ArraySlice(repeating: 0, count: bytes.count - position + 1000)
        case .flippedBit: bytes[position] ^= 1 << UInt8(position % 8)
        case .garbage: bytes[position...] = ArraySlice((0..<200).map { UInt8(truncatingIfNeeded: ~$0 &* 37) })
        }
        return bytes
    }

    private let desk: CacheDesk
    private let history = CacheHistory(count: 5, keys: 2, padding: 3)

    init() throws { desk = try CacheDesk() }

    /// Keeps four states.
    ///
    /// - Returns: the file, and where each state ends in it.
    private func written() throws -> (bytes: [UInt8], ends: [Int]) {
        var file = desk.file()
        let ends = try (0..<4).map { revision in
            try history.keep(revision, in: &file)
            return try desk.bytes.count
        }
        return (try desk.bytes, ends)
    }

    @Test(arguments: Damage.allCases) func intactPartBeforeTheDamageIsUsed(damage: Damage) throws {
        let (whole, ends) = try written()
        for position in whole.indices {
            let bytes = Self.damaged(whole, by: damage, at: position)
            // Bytes may be overwritten with the same ones.
            let expected = ends.lastIndex { bytes.prefix($0).elementsEqual(whole.prefix($0)) }
            let state = (try? CacheLog(bytes, source: "s"))?.state
            #expect(history.revision(of: state) == expected, "\(damage) at \(position)")
        }
    }

    /// New states follow from there, in a process that starts and in one that runs.
    @Test(arguments: Damage.allCases, [false, true])
    func newRecordsFollowTheIntactPart(damage: Damage, isRunning: Bool) throws {
        let (whole, ends) = try written()
        var running = desk.file()
        _ = running.load()
        for position in stride(from: 0, to: whole.count, by: 29) {
            let bytes = Self.damaged(whole, by: damage, at: position)
            let found = ends.lastIndex { bytes.prefix($0).elementsEqual(whole.prefix($0)) }
            try desk.write(bytes)
            var file = isRunning ? running : desk.file()
            if !isRunning { #expect(history.revision(of: file.load()) == found) }
            #expect(isRunning || desk.isSetAside == (found == nil), "\(damage) at \(position)")
            try history.keep(4, after: isRunning ? 3 : found ?? -1, in: &file)
            var next = desk.file()
            let kept = history.revision(of: next.load())
            // A running process does not read records again: a bit that flips in them is found at the next start.
            #expect(kept == 4 || isRunning && damage == .flippedBit && kept == found, "\(damage) at \(position)")
            try? FileManager.default.removeItem(atPath: desk.path + ".set-aside")
        }
    }

    @Test func damageAtTheEndIsReportedOnceAndRepaired() throws {
        let (whole, _) = try written()
        try desk.write(whole + [UInt8](repeating: 0, count: 4096))
        var file = desk.file()
        #expect(history.revision(of: file.load()) == 3)
        #expect(file.problem?.code == .damaged)
        try history.keep(4, in: &file)
        let reason = "the cache \(desk.path) is truncated or corrupt at the end; using the intact part"
        #expect(desk.warnings.entries == ["warning: cache error: \(reason)"])
        var next = desk.file()
        #expect(history.revision(of: next.load()) == 4)
        #expect(next.problem == nil && !desk.isSetAside)
    }

    /// A read-only folder has no lock.
    @Test(.enabled(if: geteuid() != 0, "root can write anything")) func irreparableDamageCostsNothing() throws {
        let (whole, _) = try written()
        try desk.write(whole + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        try FileManager.default.removeItem(atPath: desk.path + ".lock")
        try desk.folder.allow(0o500, on: "cache")
        defer { try? desk.folder.allow(0o700, on: "cache") }
        var file = desk.file()
        #expect(history.revision(of: file.load()) == 3)
    }
}

struct CacheValueTests {
    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func nonFiniteNumberIsDamage(number: Double) {
        for value in [EntryValue.double(number), .array([1, .double(number)])] {
            let record = CachedState(entries: ConfigEntries(["key": value])).record(ofChanged: nil)
            var state = CachedState()
            #expect(throws: ConfigError.self) { try state.apply(record[...], source: "s") }
        }
    }
}
