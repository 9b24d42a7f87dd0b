// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TerminalUI
import TestSupport

/// The time from touching the document to the last byte of the new frame on the terminal.
struct LatencyMeasurement: BlockingMeasurement {
    let changes: Int

    private static let seed: UInt64 = 2
    private static let note = """
        The processor time is the average for one change. The program in C does the minimum: inotify, and one write of as \
        many bytes.
        """

    func measure() throws -> Section {
        var table = Table(
            "Written",
            "Program",
            "Changes",
            "p50, ms",
            "p90, ms",
            "p99, ms",
            "max, ms",
            "pieces a change",
            "processor time, ms"
        )
        var goals: [Goal] = []
        for replacement in ConfigFile.Replacement.allCases {
            progress("  \(changes) changes, \(replacement.rawValue)")
            let latency = try add(LiverySession(matcher: matcher), "livery", replacement, to: &table)
            goals.append(Self.goal(latency, replacement))
            try add(LiverySession.least(), "in C", replacement, to: &table)
        }
        return Section(
            title: "Latency: from the file to the last byte of the frame, 80×24, xterm-256color",
            parts: [table, Self.note] + goals
        )
    }

    private static func goal(_ latency: Distribution, _ replacement: ConfigFile.Replacement) -> Goal {
        let (p50, p99) = (latency.median, latency.percentile(99))
        return Goal(
            promise: "\(replacement.rawValue): p50 at most 1.5 ms and p99 at most 4 ms",
            before: replacement == .rename ? "2.56 / 5.99" : "2.99 / 6.25",
            figure: "\(p50.text(2)) / \(p99.text(2))",
            isMet: p50 <= 1.5 && p99 <= 4
        )
    }

    private var matcher: ColorMatcher { ColorMatcher(depth: .indexed256) }

    /// Measures a program, and adds a row.
    @discardableResult
    private func add(
        _ session: LiverySession,
        _ program: String,
        _ replacement: ConfigFile.Replacement,
        to table: inout Table
    ) throws -> Distribution {
        let (changes, processorTime) = try changes(of: session, by: replacement)
        let latency = Distribution(changes.map(\.latency.milliseconds))
        let pieces = Double(changes.map(\.pieces).reduce(0, +)) / Double(changes.count)
        table.add(
            replacement.rawValue,
            program,
            changes.count.grouped,
            latency.median.text(2),
            latency.percentile(90).text(2),
            latency.percentile(99).text(2),
            latency.maximum.text(2),
            pieces.text(2),
            processorTime.milliseconds.text(2)
        )
        return latency
    }

    /// The changes, and the mean processor time that one cost the program.
    private func changes(
        of session: LiverySession,
        by replacement: ConfigFile.Replacement
    ) throws -> ([LiverySession.Change], Duration) {
        defer { try? session.terminal.close() }
        var random = SeededGenerator(seed: Self.seed)
        var previous = session.file.initialColor
        let usage = try session.terminal.usage()
        let results = try (0..<changes).map { _ in
            let color = Self.color(differentFrom: previous, using: &random)
            previous = color
            let gap = Duration.milliseconds(Int.random(in: 10...25, using: &random))
            return try session.change(to: color, by: replacement, quiet: gap)
        }
        return (results, (try session.terminal.usage() - usage).processorTime / changes)
    }

    /// The same colour twice would make no frame at all.
    private static func color(differentFrom other: RGBColor, using random: inout SeededGenerator) -> RGBColor {
        while true {
            let color = RGBColor(UInt32.random(in: 0...0xFFFFFF, using: &random))
            if color != other { return color }
        }
    }
}
