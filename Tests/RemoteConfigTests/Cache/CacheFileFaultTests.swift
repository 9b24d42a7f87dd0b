// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A program whose cache another one removes, replaces, moves or truncates while it is written, and that is killed then.
@Suite(.timeLimit(.minutes(30)))
struct CacheFileFaultTests {
    /// `LIVERY_FILE_FAULTS=200` for a long run.
    private static let rounds = ProcessInfo.processInfo.environment["LIVERY_FILE_FAULTS"].flatMap { Int($0) } ?? 40

    private enum Target: CaseIterable { case file, lock, folder }

    @Test func whatIsShownAfterAFaultSurvivesAKill() async throws {
        try await onDedicatedThread {
            var random = SeededGenerator(seed: 39)
            let folder = try TemporaryDirectory(prefix: "faults")
            let probe = Command(try builtProduct(named: "CacheProbe"), [folder.path(to: "cache")])
            var shown = -1
            for round in 0...Self.rounds {
                let fault = try #require(FileFault.allCases.randomElement(using: &random))
                let target = try #require(Target.allCases.randomElement(using: &random))
                let running = try RunningCommand(probe)
                try Self.wait(for: Int.random(in: 2...12, using: &random), running)
                let start = Self.lines(running).first?.split(separator: " ").last.flatMap { Int($0) } ?? -1
                #expect(start >= shown, "round \(round) starts with an older state than was shown")
                usleep(UInt32.random(in: 0...3000, using: &random))
                try Self.happen(fault, to: target, in: folder)
                // The state that was just being written may be lost; those after it must not be.
                try Self.wait(for: Self.lines(running).count + 3, running)
                running.send(signal: SIGKILL)
                try running.waitForExit(deadline: .seconds(60))
                shown = Self.lines(running).last?.split(separator: " ").last.flatMap { Int($0) } ?? -1
                try #require(shown > start, "round \(round): \(fault) \(target)")
            }
        }
    }

    private static func happen(_ fault: FileFault, to target: Target, in folder: TemporaryDirectory) throws {
        let cache = folder.path(to: "cache")
        if target == .folder {
            try? FileManager.default.removeItem(atPath: FileFault.place(of: cache))
            rename(cache, FileFault.place(of: cache))
            return
        }
        let suffix = target == .file ? ".cache" : ".lock"
        for name in try FileManager.default.contentsOfDirectory(atPath: cache) where name.hasSuffix(suffix) {
            try fault.happen(to: cache + "/" + name)
        }
    }

    /// The whole lines that a probe has written.
    private static func lines(_ probe: RunningCommand) -> [Substring] {
        probe.standardOutput.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    }

    private static func wait(for count: Int, _ probe: RunningCommand) throws {
        try eventually("\(count) lines", deadline: .seconds(60)) { lines(probe).count >= count }
    }
}
