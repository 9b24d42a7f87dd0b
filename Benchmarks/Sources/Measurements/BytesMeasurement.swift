// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import TestSupport

/// The bytes of a full recolour, in each kind of terminal.
struct BytesMeasurement: Measurement {
    let changes: Int
    /// The time for which the peers' refreshes are recorded.
    let time: Duration

    /// Sizes of the screen, and how many milliseconds of the processor a recolour may use there.
    static let sizes = [(columns: 80, rows: 24, most: 0.8), (columns: 200, rows: 60, most: 2.0)]

    private static let terminals = [
        "xterm", "xterm-256color", "tmux-256color", "screen-256color", "linux", "vt100", "xterm-direct",
        "rxvt-unicode-256color",
    ]

    // Each differs from the one before in every depth of colour, and is light where that is dark, so that the text
    // changes too. Direct colour has no room for the very first numbers.
    private static let colors: [UInt32] = [
        0xCD0000, 0x00CDCD, 0x0000EE, 0xCDCD00, 0x800080, 0x00CD00, 0x101010, 0xE5E5E5,
    ]

    func run() async throws -> Section {
        let (recolours, goals) = try await onDedicatedThread { try recolourTable() }
        let fades = try await onDedicatedThread { try fadeTable() }
        let redraws = try await PeerRedraws(time: time).table()
        return Section(
            title: "Bytes: a change of the colour alone, and what others send",
            parts: [recolours, note] + goals + [fades, redraws]
        )
    }

    private var note: String {
        "Medians of \(changes) changes each; the processor time is the mean of livery's."
    }

    private func recolourTable() throws -> (Table, [Goal]) {
        var goals: [Goal] = []
        var table = Table(
            "Terminal",
            "Size",
            "first frame, bytes",
            "recolour, bytes",
            "pieces",
            "time, ms",
            "processor time, ms"
        )
        for terminal in Self.terminals {
            do {
                goals += try addRows(of: terminal, to: &table)
            } catch let error as WaitError where error.deadline == nil {
                let reason = TerminalDatabase.contains(terminal) ? "refused by livery" : "not in the terminal database"
                let message = error.lastState?.split(separator: "\n").first { $0.contains("livery: ") }
                progress("  \(message ?? "\(error)")")
                table.add("\(terminal): \(reason)", "–", "–", "–", "–", "–", "–")
            }
        }
        if Tmux.isInstalled { try addTmux(to: &table) }
        return (table, goals)
    }

    /// Colours that fade into each other: each change waits until the one before is no longer new.
    private func fadeTable() throws -> Table {
        var table = Table("A fade, xterm-direct", "pieces", "bytes", "bytes a piece", "processor time, ms")
        for (columns, rows, _) in Self.sizes {
            progress("  fades \(columns)×\(rows)")
            let session = try LiverySession(columns: columns, rows: rows, terminal: "xterm-direct")
            defer { try? session.terminal.close() }
            let start = try session.processorTime()
            let changes = try Self.colors.map { color in
                let change = try session.change(to: RGBColor(color), by: .rename, quiet: .milliseconds(80))
                try session.terminal.read(for: .milliseconds(600))
                return change
            }
            let used = try session.processorTime().flatMap { end in start.map { end - $0 } }
            let bytes = Distribution(changes.map { Double($0.bytes) }).median
            let pieces = Distribution(changes.map { Double($0.pieces) }).median
            table.add(
                "\(columns)×\(rows)",
                pieces.text(0),
                Int(bytes).grouped,
                Int(bytes / max(pieces, 1)).grouped,
                used.map { ($0.milliseconds / Double(changes.count)).text(2) } ?? "–"
            )
        }
        return table
    }

    private func addRows(of terminal: String, to table: inout Table) throws -> [Goal] {
        try Self.sizes.compactMap { columns, rows, most in
            progress("  \(terminal) \(columns)×\(rows)")
            let session = try LiverySession(columns: columns, rows: rows, terminal: terminal)
            let used = try add(session, named: terminal, "\(columns)×\(rows)", to: &table)
            guard terminal == "xterm-256color", let used else { return nil }
            let promise = "\(terminal), \(columns)×\(rows): a recolour uses at most \(most) ms of the processor"
            let before = columns == 80 ? "2.60" : "7.23"
            return Goal(promise: promise, before: before, figure: used.text(2), isMet: used <= most)
        }
    }

    /// The bytes that tmux sends to its own terminal.
    private func addTmux(to table: inout Table) throws {
        for size in Self.sizes {
            progress("  through tmux \(size.columns)×\(size.rows)")
            let file = try ConfigFile()
            let livery = try Program.livery(following: file)
            let tmux = try Tmux(running: livery.command, columns: size.columns, rows: size.rows)
            defer { try? tmux.kill() }
            let terminal = try PseudoTerminal(running: tmux.attachCommand(), columns: size.columns, rows: size.rows)
            let session = try LiverySession(showing: file, on: terminal)
            try add(session, named: "tmux-256color, behind tmux", "\(size.columns)×\(size.rows)", to: &table)
        }
    }

    /// - Returns: the milliseconds of the processor that a change used.
    @discardableResult
    private func add(
        _ session: LiverySession,
        named name: String,
        _ size: String,
        to table: inout Table
    ) throws -> Double? {
        defer { try? session.terminal.close() }
        let firstFrame = session.terminal.bytesReceived.count
        let processorTime = try session.processorTime()
        let changes = try (0..<changes).map { number in
            let color = RGBColor(Self.colors[number % Self.colors.count])
            return try session.change(to: color, by: .rename)
        }
        let used = try session.processorTime().flatMap { later in processorTime.map { later - $0 } }
        table.add(
            name,
            size,
            firstFrame.grouped,
            Int(Distribution(changes.map { Double($0.bytes) }).median).grouped,
            Distribution(changes.map { Double($0.pieces) }).median.text(0),
            Distribution(changes.map(\.latency.milliseconds)).median.text(2),
            used.map { ($0.milliseconds / Double(changes.count)).text(2) } ?? "–"
        )
        return used.map { $0.milliseconds / Double(changes.count) }
    }
}
