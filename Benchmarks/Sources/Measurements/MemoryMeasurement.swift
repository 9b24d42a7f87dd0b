// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TestSupport

/// The most memory that programs have had at one time, and what of it is theirs alone.
struct MemoryMeasurement: Measurement {
    let changes: Int
    /// The time for which the peers run.
    let time: Duration

    /// The limits for livery after the changes, in MiB.
    private static let (mostAtPeak, mostOfItsOwn) = (12.0, 6.0)

    private struct Row {
        let moment: String
        let peak: Int?
        let own: Int?
    }

    func run() async throws -> Section {
        var table = Table("Program", "peak resident memory, MiB", "private memory at the end, MiB")
        progress("  livery, \(changes) changes")
        let rows = try await onDedicatedThread { try liveryRows() + peerRows() }
        for row in rows { table.add(row.moment, Self.text(row.peak), Self.text(row.own)) }
        let (peak, own) = (Double(rows[1].peak ?? .max) / 1_048_576, Double(rows[1].own ?? .max) / 1_048_576)
        let goals = [
            Goal(
                promise: "\(rows[1].moment): at most \(Self.mostAtPeak.text(0)) MiB of peak memory",
                before: "14.7",
                figure: peak.text(1),
                isMet: peak <= Self.mostAtPeak
            ),
            Goal(
                promise: "\(rows[1].moment): at most \(Self.mostOfItsOwn.text(0)) MiB of private memory",
                before: "13.1",
                figure: own.text(1),
                isMet: own <= Self.mostOfItsOwn
            ),
        ]
        return Section(title: "Memory", parts: [table] + goals)
    }

    private func liveryRows() throws -> [Row] {
        let session = try LiverySession()
        defer { try? session.terminal.close() }
        let first = try Self.row("livery, first frame", session.terminal)
        var random = SeededGenerator(seed: 3)
        for number in 0..<changes {
            // Even and odd blues, so that no colour follows itself.
            let color = RGBColor(UInt32.random(in: 0...0x7FFFFF, using: &random) << 1 | UInt32(number & 1))
            _ = try session.change(to: color, by: .rename, quiet: .zero)
        }
        return [first, try Self.row("livery, after \(changes.grouped) changes", session.terminal)]
    }

    private func peerRows() throws -> [Row] {
        let home = try TemporaryDirectory(prefix: "bench")
        return try Program.peers(home: home).map { program in
            progress("  \(program.name)")
            let terminal = try program.start()
            defer { try? terminal.close() }
            try program.awaitFirstFrame(on: terminal)
            try terminal.read(for: time)
            return try Self.row("\(program.name), \(time.components.seconds) s after its start", terminal)
        }
    }

    private static func row(_ moment: String, _ terminal: PseudoTerminal) throws -> Row {
        let own = try ProcessUsage.privateMemory(of: terminal.processIdentifier)
        return Row(moment: moment, peak: try terminal.usage().peakMemory, own: own)
    }

    private static func text(_ bytes: Int?) -> String {
        bytes.map { (Double($0) / 1_048_576).text(1) } ?? "unknown"
    }
}
