// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// The bytes that htop and btop send at each refresh, for comparison.
struct PeerRedraws: Sendable {
    /// The time for which each is recorded.
    let time: Duration

    private typealias Redraw = (name: String, size: String, firstFrame: Int, refresh: Int)

    /// Silence that ends a refresh; they come every 1.5 s (htop) or 2 s (btop).
    private static let silence = Duration.milliseconds(300)

    func table() async throws -> Table {
        let home = try TemporaryDirectory(prefix: "bench")
        let programs = Program.peers(home: home)
        progress("  refreshes of \(programs.map(\.name).joined(separator: ", "))")
        let redraws = try await withThrowingTaskGroup { group in
            for program in programs {
                for size in BytesMeasurement.sizes {
                    group.addTask { try await onDedicatedThread { try watch(program, size.columns, size.rows) } }
                }
            }
            return try await group.reduce(into: [Redraw]()) { $0.append($1) }
        }
        var table = Table("Program, xterm-256color", "Size", "first frame, bytes", "periodic refresh, median bytes")
        for redraw in redraws.sorted(by: { ($0.name, $0.firstFrame) < ($1.name, $1.firstFrame) }) {
            table.add(redraw.name, redraw.size, redraw.firstFrame.grouped, redraw.refresh.grouped)
        }
        return table
    }

    private func watch(_ program: Program, _ columns: Int, _ rows: Int) throws -> Redraw {
        let terminal = try program.start(columns: columns, rows: rows)
        defer { try? terminal.close() }
        try program.awaitFirstFrame(on: terminal)
        try terminal.readUntilQuiet(for: Self.silence)
        let firstFrame = terminal.bytesReceived.count
        let end = ContinuousClock.now + time
        var sizes: [Double] = []
        while .now < end {
            sizes.append(Double(try nextBurst(on: terminal)))
        }
        // The ticking of a clock does not count as a refresh.
        let refreshes = sizes.filter { $0 > Distribution(sizes).maximum / 10 }
        return (program.name, "\(columns)×\(rows)", firstFrame, Int(Distribution(refreshes).median))
    }

    private func nextBurst(on terminal: PseudoTerminal) throws -> Int {
        let start = terminal.bytesReceived.count
        try terminal.readUntil("a refresh") { _ in terminal.bytesReceived.count > start }
        try terminal.readUntilQuiet(for: Self.silence)
        return terminal.bytesReceived.count - start
    }
}
