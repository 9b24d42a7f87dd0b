// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// Processes that use one cache at the same time; see `CacheProbe`.
final class CacheProbes {
    private struct Probe {
        var process: RunningCommand
        /// The name of the file of its output, which grows too large to be read whole each time.
        var output: String
    }

    private let folder: TemporaryDirectory
    private var probes: [Probe] = []
    private var started = 0
    /// The newest revision that any of them is known to have shown.
    private(set) var shown = -1

    init() throws { folder = try TemporaryDirectory(prefix: "probes") }

    var count: Int { probes.count }

    /// The names of the files in the cache's folder.
    var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path(to: "cache")) }
    }

    /// Starts another one, and waits until it has read the cache.
    ///
    /// - Returns: the revision that it began with; `none` or `broken` if that is none.
    func start() throws -> String {
        started += 1
        let output = "\(started).out"
        try folder.write("", to: output)
        let script = "exec \(try builtProduct(named: "CacheProbe")) cache > \(output)"
        let probe = Probe(process: try RunningCommand(.shell(script, workingDirectory: folder.path)), output: output)
        probes.append(probe)
        try eventually("the probe has begun", deadline: .seconds(100)) { try tail(of: probe).contains("\n") }
        let first = try read(probe, from: 0).prefix { $0 != "\n" }
        return first.split(separator: " ").last.map(String.init) ?? ""
    }

    /// Stops one in the middle of whatever it does, lets the others go on for a while, and lets it go on.
    func suspend(_ index: Int, until advanced: Int) throws {
        let others = probes.indices.filter { $0 != index }
        probes[index].process.send(signal: SIGSTOP)
        let before = try others.map { try newest(of: probes[$0]) }
        // If it holds the lock, they wait for it; not longer than they have patience for.
        try? eventually("the others have gone on", deadline: .milliseconds(500)) {
            try zip(others, before).contains { try newest(of: probes[$0]) > $1 + advanced }
        }
        probes[index].process.send(signal: SIGCONT)
    }

    /// Kills one.
    func kill(_ index: Int) throws {
        let probe = probes.remove(at: index)
        probe.process.send(signal: SIGKILL)
        try probe.process.waitForExit(deadline: .seconds(100))
        shown = max(shown, try newest(of: probe))
        try FileManager.default.removeItem(atPath: folder.path(to: probe.output))
    }

    /// Notes what has been shown up to now.
    func note() throws {
        for probe in probes { shown = max(shown, try newest(of: probe)) }
    }

    /// The newest revision that one has shown.
    private func newest(of probe: Probe) throws -> Int {
        // The last line may not be whole yet.
        let lines = try tail(of: probe).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        return lines.last { $0.hasPrefix("shown ") }.flatMap { Int($0.dropFirst(6)) } ?? -1
    }

    private func tail(of probe: Probe) throws -> String { try read(probe, from: -200) }

    /// - Parameter offset: from the end if negative.
    private func read(_ probe: Probe, from offset: Int) throws -> String {
        let file = try FileHandle(forReadingFrom: URL(filePath: folder.path(to: probe.output)))
        defer { try? file.close() }
        let end = Int(try file.seekToEnd())
        try file.seek(toOffset: UInt64(offset < 0 ? max(end + offset, 0) : offset))
        return String(decoding: try file.read(upToCount: 200) ?? Data(), as: UTF8.self)
    }
}
