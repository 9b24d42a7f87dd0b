import ConfigModel
import TerminalUI
import TestSupport

/// How long it takes from touching the document to the last byte of the new frame on the terminal.
struct LatencyMeasurement: BlockingMeasurement {
    let changes: Int

    private static let seed: UInt64 = 2
    private static let note = "The processor time is what livery used for one change, on average."

    func measure() throws -> Section {
        var table = Table(
            "Written",
            "Changes",
            "p50, ms",
            "p90, ms",
            "p99, ms",
            "max, ms",
            "pieces a change",
            "processor time, ms"
        )
        var isMet = true
        for replacement in ConfigFile.Replacement.allCases {
            progress("  \(changes) changes, \(replacement.rawValue)")
            let (changes, processorTime) = try changes(by: replacement)
            let latency = Distribution(changes.map(\.latency.milliseconds))
            let pieces = Double(changes.map(\.pieces).reduce(0, +)) / Double(changes.count)
            table.add(
                replacement.rawValue,
                changes.count.grouped,
                latency.median.text(2),
                latency.percentile(90).text(2),
                latency.percentile(99).text(2),
                latency.maximum.text(2),
                pieces.text(2),
                processorTime.milliseconds.text(2)
            )
            isMet = isMet && latency.median < 5 && latency.percentile(99) < 20
        }
        return Section(
            title: "Latency: from the file to the last byte of the frame, 80×24, xterm-256color",
            parts: [table, Self.note, Goal(promise: "p50 under 5 ms and p99 under 20 ms", isMet: isMet)]
        )
    }

    /// The changes, and the mean processor time that one cost livery.
    private func changes(by replacement: ConfigFile.Replacement) throws -> ([LiverySession.Change], Duration) {
        let session = try LiverySession(matcher: ColorMatcher(depth: .indexed256))
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
            let color = RGBColor(rgb24: UInt32.random(in: 0...0xFFFFFF, using: &random))
            if color != other { return color }
        }
    }
}
