// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import TestSupport

/// The cost of the inspector with many keys: a key press, and a change of the file that it shows.
struct InspectorMeasurement: BlockingMeasurement {
    let repetitions: Int
    /// The number of started programs for first-time measurements.
    let sessions: Int

    private static let keyCounts = [10_000, 100_000]
    private static let mostMilliseconds = 2.0
    /// The keys that are pressed, in order; each of the others is pressed many times.
    private static let presses = [("one row down", "j"), ("one page down", "\u{1B}[6~"), ("one page down", " ")]
    /// The text typed into the filter: letters that all keys have, then one that every tenth key has.
    private static let typed = [("a first character", "e"), ("a second one", "y"), ("a third one", "9")]
    private static func name(ofLetter key: String, _ name: String) -> String { "`\(key)` in the filter, \(name)" }

    private static let nameOfFirstLetter = name(ofLetter: typed[0].1, typed[0].0)
    private static let note = """
        In processor time of livery. Opening the inspector and the whole value are the first actions after a start, the median \
        of several. A first character is searched in every key; its figure includes the frames between the slices, which show \
        the first matches. The cost of the screen for a change is the median of the differences between a change with the \
        inspector open and the one before it, with the inspector closed. What differs of the file is read for both.
        """

    func measure() throws -> Section {
        var table = Table("With", "10,000 keys, ms", "100,000 keys, ms")
        let runs = try Self.keyCounts.map(measure)
        for (index, figure) in runs[0].enumerated() {
            table.add([figure.name] + runs.map { $0[index].milliseconds.text(2) })
        }
        let worst = runs.joined().filter(\.isLimited).map(\.milliseconds).max() ?? .infinity
        let goal = Goal(
            promise: "inspector: a key press and what the screen adds to a change cost at most 2 ms each",
            before: "744 / 1,940",
            figure: "\(worst.text(2)) at most",
            isMet: worst <= Self.mostMilliseconds
        )
        let firstLetter = runs[1].first { $0.name == Self.nameOfFirstLetter }?.milliseconds ?? .infinity
        let filterGoal = Goal(
            promise: "inspector: the first letter of a filter over 100,000 keys costs at most 3 ms",
            before: "5.70",
            figure: firstLetter.text(2),
            isMet: firstLetter <= 3
        )
        let live = try LiveInspector(presses: 5 * repetitions).measure()
        return Section(
            title: "Inspector: a key press, and a change while it is open, 80×24, xterm-256color",
            parts: [table, Self.note, goal, filterGoal, Self.table(of: live), Self.noteOnLive, Self.goal(of: live)]
        )
    }

    private static let mostMillisecondsLive = 16.0
    private static let noteOnLive =
        "From the key to its effect on the terminal; a frame follows another one after 8 ms at least."

    private static func table(of rows: [LiveInspector.Row]) -> Table {
        var table = Table(LiveInspector.title, "presses", "p50, ms", "p99, ms", "max, ms")
        for row in rows {
            let latency = row.latency
            let figures = [latency.median, latency.percentile(99), latency.maximum].map { $0.text(2) }
            table.add([row.name, latency.count.grouped] + figures)
        }
        return table
    }

    private static func goal(of rows: [LiveInspector.Row]) -> Goal {
        let worst = rows.map { $0.latency.percentile(99) }.max() ?? .infinity
        return Goal(
            promise: "inspector: a key press over a server with 100 changes a second takes at most 16 ms at p99",
            figure: "\(worst.text(2)) at most",
            isMet: worst <= mostMillisecondsLive
        )
    }

    private struct Figure {
        let name: String
        let milliseconds: Double
        /// Whether the goal is about it.
        var isLimited = true
    }

    private func measure(keys: Int) throws -> [Figure] {
        progress("  \(keys.grouped) keys")
        let session = try LiverySession(otherKeys: keys)
        defer { try? session.terminal.close() }
        let changes = try changes(session)
        _ = try press("i", on: session, count: 1)
        var figures = try firstTimes(keys: keys)
        for (name, key) in Self.presses {
            let name = "`\(key == " " ? "Space" : key == "j" ? "j" : "Page Down")`, \(name)"
            figures.append(Figure(name: name, milliseconds: try press(key, on: session, count: repetitions)))
        }
        figures += try filter(session)
        figures.append(Figure(name: "a change, what the screen adds", milliseconds: max(changes.added, 0)))
        figures.append(Figure(name: "a change, as a whole", milliseconds: changes.open, isLimited: false))
        figures.append(Figure(name: "a change, the inspector closed", milliseconds: changes.closed, isLimited: false))
        return figures
    }

    /// The cost of showing screens for the first time.
    private func firstTimes(keys: Int) throws -> [Figure] {
        var (opened, whole): ([Double], [Double]) = ([], [])
        for _ in 0..<sessions {
            let session = try LiverySession(otherKeys: keys)
            defer { try? session.terminal.close() }
            opened.append(try press("i", on: session, count: 1))
            whole.append(try press("\r", on: session, count: 1))
        }
        return [
            Figure(name: "`i`, opened", milliseconds: Distribution(opened).median),
            Figure(name: "`Enter`, the whole value", milliseconds: Distribution(whole).median),
        ]
    }

    /// The filter, opened and left again.
    private func filter(_ session: LiverySession) throws -> [Figure] {
        var figures: [Figure] = []
        _ = try press("/", on: session, count: 1)
        for (name, key) in Self.typed {
            let cost = try press(key, on: session, count: 1)
            figures.append(Figure(name: Self.name(ofLetter: key, name), milliseconds: cost, isLimited: false))
        }
        _ = try press("\r", on: session, count: 1)
        let moved = try press("j", on: session, count: repetitions)
        figures.append(Figure(name: "`j`, one row down in what is left", milliseconds: moved))
        _ = try press("\u{1B}", on: session, count: 1)
        return figures
    }

    /// The mean of so many presses, each with its frame.
    private func press(_ key: String, on session: LiverySession, count: Int) throws -> Double {
        try milliseconds(of: session, count) { _ in
            try session.terminal.write(key)
            _ = try session.terminal.awaitOutput(within: .seconds(5))
            while try session.terminal.awaitOutput(within: .milliseconds(20)) {}
        }
    }

    /// The median of changes of the colour, which turns every cell of the screen, with the inspector closed and open in turns,
    /// and that of the difference within a turn, in which the machine is as quick for both.
    private func changes(_ session: LiverySession) throws -> (closed: Double, open: Double, added: Double) {
        var (closed, open): ([Double], [Double]) = ([], [])
        for number in 0..<max(repetitions / 4, 2) {
            closed.append(try change(session, 2 * number))
            _ = try press("i", on: session, count: 1)
            open.append(try change(session, 2 * number + 1))
            _ = try press("i", on: session, count: 1)
        }
        let added = zip(open, closed).map { $0 - $1 }
        return (Distribution(closed).median, Distribution(open).median, Distribution(added).median)
    }

    private func change(_ session: LiverySession, _ number: Int) throws -> Double {
        try milliseconds(of: session, 1) { _ in
            let color = RGBColor(UInt32(0x102030 + 0x4F2FA3 * number & 0xFFFFFF))
            // Read twice, as soon as it has changed and once it has settled.
            _ = try session.change(to: color, by: .rename, quiet: .milliseconds(600))
        }
    }

    private func milliseconds(of session: LiverySession, _ count: Int, _ work: (Int) throws -> Void) throws -> Double {
        let before = try session.terminal.usage().processorTime
        for number in 0..<count { try work(number) }
        return (try session.terminal.usage().processorTime - before).milliseconds / Double(count)
    }
}
