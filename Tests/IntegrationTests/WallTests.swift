// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Many clients of one source on a real terminal.
@Suite(.timeLimit(.minutes(5)))
struct WallTests {
    private func wall(_ arguments: String..., columns: Int = 120, rows: Int = 40) throws -> RunningDemo {
        try RunningDemo(columns: columns, rows: rows, arguments: ["wall"] + arguments, waitingFor: "")
    }

    private func count(_ text: String, in screen: VirtualScreen) -> Int {
        (0..<screen.rows).reduce(0) { $0 + screen.text(row: $1).ranges(of: text).count }
    }

    @Test func aPublishedChangeReachesEveryClientAndTheSpreadIsShown() async throws {
        try await onDedicatedThread {
            let server = try RunningServer()
            let desk = try OperatorDesk(address: server.address)
            #expect(try desk.run("set", "app.background.color", "#FFB6C1").status.isSuccess)
            let demo = try wall("6", server.address)
            try demo.waitFor("● 6 live")
            try demo.waitFor("6 of 6 received within ")
            #expect(count("#FFB6C1 → 217", in: demo.terminal.screen) == 6)
            #expect(count("● live", in: demo.terminal.screen) == 6)

            #expect(try desk.run("set", "app.background.color", "#87CEFA").status.isSuccess)
            try demo.terminal.readUntil("the colour on all screens") { count("#87CEFA → 117", in: $0) == 6 }
            try demo.waitFor("6 of 6 changed within ")
            // Each has a stream of its own.
            let metrics = try server.ask("GET", "/metrics").text
            #expect(metrics.contains("livery_streams_open 6\n"), "\(metrics)")

            try server.stop(signal: SIGKILL)
            try demo.waitFor("○ 6 offline")
            #expect(demo.background == .indexed(117))
            #expect(try demo.quit() == .exited(0))
            #expect(demo.terminal.screen.violations == [])
        }
    }

    @Test func clientsOfAFileComeAndGo() async throws {
        try await onDedicatedThread {
            let demo = try wall()
            try demo.waitFor("4 of 4 received within ")
            try demo.terminal.write("++")
            try demo.waitFor("● 6 live")
            try demo.waitFor("6 of 6 received within ")
            try demo.terminal.write("---")
            try demo.waitFor("● 3 live")
            try demo.overwrite(RunningDemo.sky)
            try demo.terminal.readUntil("the colour on all screens") { count("#87CEFA → 117", in: $0) == 3 }
            try demo.waitFor("3 of 3 changed within ")
            try demo.terminal.write("r")
            try demo.waitFor("Refreshed: nothing new")
            #expect(try demo.quit() == .exited(0))
        }
    }

    @Test func moreThanFitAreAnErrorThatSaysHowManyFit() async throws {
        try await onDedicatedThread {
            let demo = try wall("25", columns: 80, rows: 24)
            #expect(try demo.terminal.waitForExit() == .exited(64))
            #expect(demo.terminal.screen.contains("Only 24 screens fit into 80×24"))
        }
    }
}
