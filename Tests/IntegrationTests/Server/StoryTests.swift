// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The output for people who run a server, the app and the operator's commands in separate terminals.
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct StoryTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory(prefix: "story")
    }

    private func watch(source: String) throws -> RunningDemo {
        try RunningDemo(
            columns: 120,
            config: nil,
            arguments: [source],
            environment: ["XDG_CACHE_HOME": folder["cache"]],
            waitingFor: ""
        )
    }

    /// A server with a colour, which can be started again, and a demo that shows it.
    private func begin(with color: String) throws -> (RunningServer, RunningDemo) {
        let server = try RunningServer.startedForAgain()
        try set(color, at: server)
        return (server, try watch(source: server.address))
    }

    private func set(_ color: String, at server: RunningServer) throws {
        let output = try OperatorDesk(address: server.address).run("set", "app.background.color", color)
        #expect(output.status.isSuccess, "\(output.standardError)")
    }

    /// Starts a server in the place of one that has ended, which the demo finds, and changes the colour there.
    private func recolour(_ demo: RunningDemo, byStartingAgain server: RunningServer) throws {
        let next = try RunningServer(port: server.port, folder: server.folder)
        try demo.waitFor("● live")
        try set("#FFB6C1", at: next)
        try demo.waitFor("#FFB6C1 → 217")
    }

    @Test func theScreenRecoloursAndOutlivesTheServer() throws {
        let (server, demo) = try begin(with: "#FFB6C1")
        try demo.waitFor("#FFB6C1 → 217")
        try demo.waitFor("● live")
        try set("#87CEFA", at: server)
        try demo.waitFor("#87CEFA → 117")
        #expect(demo.background == .indexed(117))

        try server.stop(signal: SIGKILL)
        try demo.waitFor("○ offline")
        #expect(demo.background == .indexed(117))
        try recolour(demo, byStartingAgain: server)
        #expect(try demo.quit() == .exited(0))
        #expect(demo.terminal.screen.violations == [])
    }

    @Test func itStartsOfflineWithTheLastGoodValues() throws {
        let (server, first) = try begin(with: "#87CEFA")
        try first.waitFor("#87CEFA → 117")
        #expect(try first.quit() == .exited(0))
        try server.stop()

        let second = try watch(source: server.address)
        // An error may replace the colour's name in the very first frame.
        try second.waitFor("○ offline")
        #expect(second.background == .indexed(117))
        try recolour(second, byStartingAgain: server)
    }
}
