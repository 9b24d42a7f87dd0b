// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A program that is killed while it writes its cache, again and again.
@Suite(.timeLimit(.minutes(10)))
struct CacheCrashTests {
    @Test func twoHundredKillsLoseNothingThatWasShown() async throws {
        try await onDedicatedThread {
            let folder = try TemporaryDirectory(prefix: "crash")
            let probe = Command(try builtProduct(named: "CacheProbe"), [folder.path(to: "cache")])
            var shown = -1
            var advanced = 0
            for round in 0..<200 {
                let (start, last) = try Self.run(probe, shows: 1 + round % 17)
                let found = start == "none" ? -1 : try #require(Int(start), "round \(round) starts with \(start)")
                #expect(found >= shown, "round \(round) starts with an older state than was shown")
                if last > shown { advanced += 1 }
                shown = max(last, found)
            }
            #expect(advanced == 200)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(to: "cache"))
            #expect(!names.contains { $0.hasSuffix(".set-aside") })
            #expect(names.count <= 3, "killed programs leave no heap of files: \(names)")
        }
    }

    /// One that was stopped finds another file in the place of the one that it knows.
    @Test func eightProcessesThatAreStoppedAndKilledLoseNothingThatWasShown() async throws {
        try await onDedicatedThread {
            let probes = try CacheProbes()
            var random = SeededGenerator(seed: 24)
            while probes.count < 8 { _ = try probes.start() }
            for round in 0..<12 {
                for _ in 0..<3 {
                    // Enough for a compaction by another.
                    try probes.suspend(Int.random(in: 0..<8, using: &random), until: 75)
                }
                try probes.kill(Int.random(in: 0..<8, using: &random))
                try probes.note()
                let shown = probes.shown
                let start = try probes.start()
                let found = try #require(Int(start), "round \(round) starts with \(start)")
                #expect(found >= shown, "round \(round) starts with an older state than was shown")
                try #require(try !probes.files.contains { $0.hasSuffix(".set-aside") }, "damage in round \(round)")
            }
        }
    }

    /// Runs the probe until it has shown so many states, and kills it in the middle of the next.
    ///
    /// - Returns: what it started with, and the last revision that it has shown.
    private static func run(_ probe: Command, shows count: Int) throws -> (start: String, last: Int) {
        let running = try RunningCommand(probe)
        try eventually("\(count) states", deadline: .seconds(60)) {
            running.standardOutputBytes.count { $0 == UInt8(ascii: "\n") } > count
        }
        running.send(signal: SIGKILL)
        try running.waitForExit(deadline: .seconds(60))
        // The last line may have been cut.
        let lines = running.standardOutput.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        let start = lines.first?.split(separator: " ").last.map(String.init) ?? ""
        let last = lines.dropFirst().compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }.max() ?? -1
        return (start, last)
    }
}
