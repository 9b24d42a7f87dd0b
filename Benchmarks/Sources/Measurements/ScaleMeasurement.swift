// SPDX-License-Identifier: Apache-2.0

import CLibrary
import ConfigModel
import ConfigWire
import Foundation
import TestSupport

/// The cost of many keys: loading them, reading them again, and changing a few of them.
struct ScaleMeasurement: BlockingMeasurement {
    let batches: Int

    private static let epoch = Epoch(rawValue: 1)
    private static let moment = Timestamp(milliseconds: 0)

    func measure() throws -> Section {
        let whole = try load(keys: 100_000)
        var loads = Table("100,000 keys from a server", "median, ms", "memory with all that was read, MB")
        loads.add("read the answer and apply it", whole.milliseconds.text(1), whole.megabytes.text(0))
        let loadGoal = Goal(
            promise: "100,000 keys from a server are there within 200 ms and with 40 MB",
            before: "554.8 ms, 52 MB",
            figure: "\(whole.milliseconds.text(1)) ms, \(whole.megabytes.text(0)) MB",
            isMet: whole.milliseconds <= 200 && whole.megabytes <= 40
        )

        var deltas = Table("A change of 10 keys", "median, µs")
        let (small, large) = (try delta(on: try load(keys: 100).state), try delta(on: whole.state))
        deltas.add("onto 100 keys", small.text(1))
        deltas.add("onto 100,000 keys", large.text(1))
        let goal = Goal(
            promise: "a change costs the same on 100,000 keys as on 100, within twice",
            figure: (large / small).text(2),
            isMet: large <= 2 * small
        )
        return Section(
            title: "Scale, in processor time",
            parts: [loads, loadGoal] + (try reread(keys: 100_000)) + [deltas, goal]
        )
    }

    // MARK: From a server

    private func load(keys: Int) throws -> (milliseconds: Double, megabytes: Double, state: EntrySnapshot) {
        Self.giveBackMemory()
        let before = Self.memory("VmRSS")
        let json = Self.answer(keys: keys)
        Self.giveBackMemory()
        var state = try Self.apply(json)
        let growth = Self.memory("VmHWM") - before
        let times = try (0..<max(batches / 20, 3)).map { _ in
            try processorTime { state = try Self.apply(json) }.milliseconds
        }
        return (Distribution(times).median, Double(growth) / 1000, state)
    }

    private static func answer(keys: Int) -> [UInt8] {
        let entries = Dictionary(
            uniqueKeysWithValues: (0..<keys).map {
                ("group.\($0 / 100).key_\($0)", EntryValue.string("value number \($0)"))
            }
        )
        let digest = ConfigDigest(entries.lazy.map { ($0.key, $0.value) })
        let cursor = RevisionCursor(epoch: Self.epoch, revision: 1)
        return ConfigAnswer.snapshot(
            ServerSnapshot(cursor: cursor, digest: digest, entries: entries),
            isReset: false
        ).json
    }

    private static func apply(_ json: [UInt8]) throws -> EntrySnapshot {
        guard case .snapshot(let whole, _) = try ConfigAnswer(json: json) else { return .empty }
        return try EntrySnapshot.empty.updated(with: whole, from: "benchmark", at: moment).snapshot
    }

    /// The median microseconds of a change of ten keys.
    private func delta(on state: EntrySnapshot) throws -> Double {
        let keys = Array(state.entries.keys.prefix(10))
        var times: [Double] = []
        for round in 0..<batches {
            let upserts = Dictionary(uniqueKeysWithValues: keys.map { ($0, EntryValue.integer(round)) })
            var digest = state.digest ?? ConfigDigest()
            for (key, value) in upserts {
                if let known = state.entries[key] { digest.remove(known.value, forKey: key) }
                digest.insert(value, forKey: key)
            }
            let changes = Changeset(from: 1, to: 2, digest: digest, upserts: upserts)
            let time = try processorTime {
                for _ in 0..<50 {
                    use(state.updated(with: changes, epoch: Self.epoch, from: "benchmark", at: Self.moment))
                }
            }
            times.append(time / .microseconds(50))
        }
        return Distribution(times).median
    }

    // MARK: From a file

    /// The cost of a file in which one key changes, and of one that gets another line at its beginning, next to reading it as a
    /// whole.
    private func reread(keys: Int) throws -> [any CustomStringConvertible & Sendable] {
        let documents = [nil, keys / 2].map { MicroMeasurement.document(keys: keys, changed: $0) }
        let longer = Array("{\n    \"another.key\": 1,".utf8) + documents[0].dropFirst()
        let whole = try Distribution(milliseconds { use(try ConfigDocument(json: documents[$0 % 2], source: "file")) })
        var (state, text) = try Self.read(documents[1])
        func change(to json: [UInt8]) throws {
            guard let (edit, next) = text?.edit(to: json),
                let update = state.updated(with: edit, from: "file", at: Self.moment)
            else { throw BenchmarkFailure("the document is read as a whole") }
            (state, text) = (update.snapshot, next)
        }
        let values = try Distribution(milliseconds { try change(to: documents[$0 % 2]) })
        try change(to: documents[0])
        let lines = try Distribution(milliseconds { try change(to: [longer, documents[0]][$0 % 2]) })
        var table = Table("\(keys.grouped) keys in a file of which one changes", "median, ms")
        table.add("read as a whole", whole.median.text(1))
        table.add("read, compared and applied", values.median.text(1))
        table.add("the same for another line, which moves all others", lines.median.text(1))
        let goal = Goal(
            promise: "one changed key of 100,000 in a file is read and applied within 15 ms",
            before: "51.2 ms",
            figure: "\(values.median.text(1)) ms",
            isMet: values.median <= 15
        )
        return [table, goal]
    }

    private static func read(_ json: [UInt8]) throws -> (state: EntrySnapshot, text: DividedText?) {
        let (document, text) = try DividedText.read(json, source: "file")
        return (EntrySnapshot.empty.updated(with: document, of: text?.mark, from: "file", at: moment).snapshot, text)
    }

    private func milliseconds(of work: (Int) throws -> Void) throws -> [Double] {
        try (0..<max(batches / 10, 4)).map { round in try processorTime { try work(round) }.milliseconds }
    }

    // MARK: Memory

    /// Returns free memory to the system, and resets this process's peak (`proc(5)`).
    private static func giveBackMemory() {
        #if os(Linux)
            // The module of the C library has no malloc.h.
            let trim = dlsym(nil, "malloc_trim").map { unsafeBitCast($0, to: (@convention(c) (Int) -> Int32).self) }
            _ = trim?(0)
            try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        #endif
    }

    /// The current (`VmRSS`) or peak (`VmHWM`) memory of this process, in kilobytes.
    private static func memory(_ name: String) -> Int {
        #if os(Linux)
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
            return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
        #else
            var usage = rusage()
            getrusage(RUSAGE_SELF, &usage)
            return usage.ru_maxrss / 1000
        #endif
    }
}
