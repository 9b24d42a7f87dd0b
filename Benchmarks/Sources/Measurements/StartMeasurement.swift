// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// The time from starting the program to the end of its first complete frame.
struct StartMeasurement: BlockingMeasurement {
    let runs: Int

    /// In milliseconds.
    private static let mostProcessorTime = 5.5

    private struct Start {
        let time: Duration
        /// The processor time that the program used until then.
        let processorTime: Duration
        /// The same until a second later, with what was put off until after the frame.
        let withRest: Duration?
    }

    func measure() throws -> Section {
        let file = try ConfigFile()
        let home = try TemporaryDirectory(prefix: "bench")
        let programs = [try Program.livery(following: file)] + Program.peers(home: home)
        progress("  \(runs) starts each of \(programs.map(\.name).joined(separator: ", "))")

        // The first start of each reads its files from the disk, and is not counted.
        for program in programs { _ = try start(program) }
        var starts: [String: [Start]] = [:]
        for number in 0..<runs {
            for program in programs {
                starts[program.name, default: []].append(try start(program, toRest: number.isMultiple(of: 4)))
            }
        }
        return section(programs.map { ($0.name, starts[$0.name] ?? []) })
    }

    private func start(_ program: Program, toRest: Bool = false) throws -> Start {
        let start = ContinuousClock.now
        let terminal = try program.start()
        defer { try? terminal.close() }
        var end = start
        try terminal.readUntil("the first frame of \(program.name)") { screen in
            end = .now
            return program.isComplete(screen)
        }
        let processorTime = try terminal.usage().processorTime
        if toRest { try terminal.read(for: .seconds(1)) }
        let withRest = toRest ? try terminal.usage().processorTime : nil
        return Start(time: start.duration(to: end), processorTime: processorTime, withRest: withRest)
    }

    private func section(_ programs: [(name: String, starts: [Start])]) -> Section {
        var table = Table(
            "Program",
            "Runs",
            "min, ms",
            "median, ms",
            "max, ms",
            "processor time, median, ms",
            "with the second after it, ms"
        )
        for program in programs {
            let times = Distribution(program.starts.map(\.time.milliseconds))
            table.add(
                program.name,
                "\(program.starts.count)",
                times.minimum.text(1),
                times.median.text(1),
                times.maximum.text(1),
                Distribution(program.starts.map(\.processorTime.milliseconds)).median.text(1),
                Distribution(program.starts.compactMap(\.withRest?.milliseconds)).median.text(1)
            )
        }
        var parts: [any CustomStringConvertible & Sendable] = [table]
        let medians = programs.map { ($0.name, Distribution($0.starts.map(\.time.milliseconds)).median) }
        for (name, median) in medians.dropFirst() {
            let ratio = medians[0].1 / median
            let comparison = "first frame of livery / \(name)"
            let figure = ratio.text(2)
            let goal = Goal(promise: "\(comparison): at most 0.6", before: "0.68", figure: figure, isMet: ratio <= 0.6)
            parts.append(name == "btop" ? goal : "\(comparison): \(figure).")
        }
        if let livery = programs.first {
            let busy = Distribution(livery.starts.map(\.processorTime.milliseconds)).median
            let promise = "first frame of livery: at most \(Self.mostProcessorTime.text(1)) ms of the processor"
            let isMet = busy <= Self.mostProcessorTime
            parts.append(Goal(promise: promise, before: "6.7", figure: busy.text(1), isMet: isMet))
        }
        return Section(title: "Start: to the end of the first complete frame, 80×24", parts: parts)
    }
}
