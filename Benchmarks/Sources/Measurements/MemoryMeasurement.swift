// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TestSupport

/// The most memory that programs have had at one time.
struct MemoryMeasurement: Measurement {
    let changes: Int
    /// The time for which the peers run.
    let time: Duration

    /// The limit for livery after the changes, in MiB.
    private static let most = 10.0

    func run() async throws -> Section {
        var table = Table("Program", "peak resident memory, MiB")
        progress("  livery, \(changes) changes")
        let peaks = try await onDedicatedThread { try liveryPeaks() + peerPeaks() }
        for (moment, bytes) in peaks { table.add(moment, Self.text(bytes)) }
        let livery = Double(peaks[1].1 ?? .max) / 1_048_576
        let promise = "\(peaks[1].0): at most \(Self.most.text(0)) MiB of peak memory"
        let goal = Goal(promise: promise, before: "23.7", figure: livery.text(1), isMet: livery <= Self.most)
        return Section(title: "Memory", parts: [table, goal])
    }

    private func liveryPeaks() throws -> [(String, Int?)] {
        let session = try LiverySession()
        defer { try? session.terminal.close() }
        let atFirst = try session.terminal.usage().peakMemory
        var random = SeededGenerator(seed: 3)
        for number in 0..<changes {
            // Even and odd blues, so that no colour follows itself.
            let color = RGBColor(UInt32.random(in: 0...0x7FFFFF, using: &random) << 1 | UInt32(number & 1))
            _ = try session.change(to: color, by: .rename, quiet: .zero)
        }
        let atLast = try session.terminal.usage().peakMemory
        return [("livery, first frame", atFirst), ("livery, after \(changes.grouped) changes", atLast)]
    }

    private func peerPeaks() throws -> [(String, Int?)] {
        let home = try TemporaryDirectory(prefix: "bench")
        return try Program.peers(home: home).map { program in
            progress("  \(program.name)")
            let terminal = try program.start()
            defer { try? terminal.close() }
            try program.awaitFirstFrame(on: terminal)
            try terminal.read(for: time)
            return ("\(program.name), \(time.components.seconds) s after its start", try terminal.usage().peakMemory)
        }
    }

    private static func text(_ bytes: Int?) -> String {
        bytes.map { (Double($0) / 1_048_576).text(1) } ?? "unknown"
    }
}
