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

    @Test func shownValuesSurviveAKillAfterAnError() async throws {
        try await onDedicatedThread {
            var random = SeededGenerator(seed: 39)
            let folder = try TemporaryDirectory(prefix: "faults")
            var shown = -1
            for round in 0...Self.rounds {
                let fault = try #require(FileFault.allCases.randomElement(using: &random))
                let target = try #require(Target.allCases.randomElement(using: &random))
                // Into a file, since lines in a pipe may be older than the change of the files.
                let output = folder["\(round).out"]
                let script = "exec \(try builtProduct(named: "CacheProbe")) cache > \(output)"
                let running = try RunningCommand(.shell(script, workingDirectory: folder.path))
                try Self.wait(for: Int.random(in: 2...12, using: &random), in: output)
                let start = Self.revision(Self.lines(of: output).first)
                #expect(start >= shown, "round \(round) starts with an older state than was shown")
                usleep(UInt32.random(in: 0...3000, using: &random))
                try Self.happen(fault, to: target, in: folder)
                // The state that was just being written may be lost; those after it must not be.
                try Self.wait(for: Self.lines(of: output).count + 3, in: output)
                running.send(signal: SIGKILL)
                try running.waitForExit()
                shown = Self.revision(Self.lines(of: output).last)
                try #require(shown > start, "round \(round): \(fault) \(target)")
                try FileManager.default.removeItem(atPath: output)
            }
        }
    }

    private static func happen(_ fault: FileFault, to target: Target, in folder: TemporaryDirectory) throws {
        let cache = folder["cache"]
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
    private static func lines(of output: String) -> [Substring] {
        // The last one can still be incomplete.
        (try? String(contentsOfFile: output, encoding: .utf8))?
            .split(separator: "\n", omittingEmptySubsequences: false).dropLast() ?? []
    }

    /// The revision at the end of a line; -1 if there is none.
    private static func revision(_ line: Substring?) -> Int {
        line?.split(separator: " ").last.flatMap { Int($0) } ?? -1
    }

    private static func wait(for count: Int, in output: String) throws {
        try until("\(count) lines") { lines(of: output).count >= count }
    }
}
