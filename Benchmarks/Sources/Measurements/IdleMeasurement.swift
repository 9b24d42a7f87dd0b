// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// The wakeups of programs when nothing happens, and their use of processor time.
struct IdleMeasurement: Measurement {
    let settling: Duration
    let seconds: Int

    private struct Idleness: Sendable {
        let name: String
        let wakeups: Int
        let usage: ProcessUsage
        let time: Duration

        var wakeupsPerSecond: Double { Double(wakeups) / (time / .seconds(1)) }
    }

    func run() async throws -> Section {
        let file = try ConfigFile()
        let home = try TemporaryDirectory(prefix: "bench")
        let programs = [try Program.livery(following: file)] + Program.peers(home: home)
        progress("  \(settling) of settling, then \(seconds) s, of \(programs.map(\.name).joined(separator: ", "))")
        let idlenesses = try await withThrowingTaskGroup { group in
            for program in programs { group.addTask { try await onDedicatedThread { try watch(program) } } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        return section(programs.compactMap { program in idlenesses.first { $0.name == program.name } })
    }

    private func watch(_ program: Program) throws -> Idleness {
        let terminal = try program.start()
        defer { try? terminal.close() }
        try program.awaitFirstFrame(on: terminal)
        try terminal.read(for: settling)

        let start = ContinuousClock.now
        let usage = try terminal.usage()
        var counter = WakeupCounter(startingFrom: try terminal.contextSwitches())
        for _ in 0..<seconds {
            try terminal.read(for: .seconds(1))
            counter.add(try terminal.contextSwitches())
        }
        return Idleness(
            name: program.name,
            wakeups: counter.count,
            usage: try terminal.usage() - usage,
            time: start.duration(to: .now)
        )
    }

    private func section(_ idlenesses: [Idleness]) -> Section {
        var table = Table("Program", "wakeups", "wakeups a second", "processor time, ms a second")
        for idleness in idlenesses {
            let processorTime = idleness.usage.processorTime / idleness.time * 1000
            table.add(
                idleness.name,
                idleness.wakeups.grouped,
                idleness.wakeupsPerSecond.text(2),
                processorTime.text(2)
            )
        }
        let isMet = idlenesses.first?.wakeups == 0
        return Section(
            title: "Idle: \(seconds) s in which nothing changes, side by side",
            parts: [table, Goal(promise: "livery sleeps through 30 s without a change", isMet: isMet)]
        )
    }
}
