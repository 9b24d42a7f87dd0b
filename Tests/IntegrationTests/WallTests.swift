// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Many clients of one source on a real terminal.
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct WallTests {
    private func wall(_ arguments: String..., columns: Int = 120, rows: Int = 40) throws -> RunningDemo {
        try RunningDemo(columns: columns, rows: rows, arguments: ["wall"] + arguments, waitingFor: "")
    }

    private func count(_ text: String, in screen: VirtualScreen) -> Int {
        (0..<screen.rows).reduce(0) { $0 + screen.text(row: $1).ranges(of: text).count }
    }

    @Test func publishedChangeReachesEveryClient() throws {
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
        // Each has its own stream.
        let metrics = try server.ask("GET", "/metrics").text
        #expect(metrics.contains("livery_streams_open 6\n"), "\(metrics)")

        try server.stop(signal: SIGKILL)
        try demo.waitFor("○ 6 offline")
        #expect(demo.background == .indexed(117))
        #expect(try demo.quit() == .exited(0))
        #expect(demo.terminal.screen.violations == [])
    }
}
