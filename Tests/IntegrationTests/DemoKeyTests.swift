// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DemoKeyTests {
    @Test(arguments: ["\r", "\u{1B}[<0;40;12M"])
    func enterOrAClickOnTheButtonStartsTheBrowser(input: String) throws {
        let folder = try TemporaryDirectory()
        let browser = try folder.writeProgram("#!/bin/sh\nprintf '%s' \"$*\" > \(folder.path)/opened\n", to: "browser")
        let url = "https://example.org/$(touch%20x);a'b"
        let demo = try RunningDemo(
            config: ##"{"app.fun_button.url": "\##(url)", "app.fun_button.text": "Somewhere else"}"##,
            environment: ["BROWSER": browser]
        )
        try demo.type(input, until: "Opened https://example.org/")
        try until("the browser to run") { (try? folder.read("opened"))?.count == url.utf8.count }
        #expect(String(decoding: try folder.read("opened"), as: UTF8.self) == url)
        #expect(try demo.quit() == .exited(0))
    }

    /// From no configuration to a first value.
    @Test func aFreshStartCreatesAFile() throws {
        let demo = try RunningDemo(config: nil, waitingFor: "Create config.json")
        try demo.type("1", until: "live ")
        #expect(try String(contentsOfFile: demo.folder["config.json"], encoding: .utf8).contains("#87CEFA"))
        #expect(try demo.quit() == .exited(0))
    }

    /// A request from before the end is not started after it.
    @Test func leavingWaitsForNoServer() throws {
        let server = try ScriptedServer { connection, _ in connection.waitForClient() }
        let demo = try RunningDemo(
            arguments: [server.url("/config.json").absoluteString],
            waitingFor: "Dogs are awesome!"
        )
        try until("the first request") { server.requests.count == 1 }
        try demo.type("r", until: "Reading http")
        try demo.terminal.write("r")
        #expect(try demo.quit() == .exited(0))
        #expect(!demo.terminal.screen.isAlternate)
        #expect(server.requests.count == 1)
    }
}
