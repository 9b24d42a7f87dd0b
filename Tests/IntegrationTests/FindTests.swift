// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import Foundation
import TestSupport
import Testing

/// What is looked for is found by a few keys, in a real terminal with a real server.
@Suite(.timeLimit(.minutes(5)))
struct FindTests {
    private static func publish(_ namespace: String, _ values: [String: EntryValue], _ server: RunningServer) throws {
        let body = String(decoding: PublishRequest(set: values).json, as: UTF8.self)
        let answer = try server.ask("PATCH", "/v1/\(namespace)/entries", body: body)
        #expect(answer.status == 200, "\(answer.text)")
    }

    private static func tmux(_ server: RunningServer, _ folder: TemporaryDirectory) throws -> Tmux {
        let folders = ["XDG_CONFIG_HOME": folder.path, "XDG_CACHE_HOME": folder.path]
        let livery = try liveryCommand([server.address], environment: folders, in: folder)
        let tmux = try Tmux(running: livery, columns: 80, rows: 24)
        try tmux.waitFor("the first frame") { $0.contains("live ") }
        return tmux
    }

    /// Two presses beside the name, and two back.
    @Test func anotherNamespaceIsFollowedByItsName() throws {
        let (server, folder) = (try RunningServer(), try TemporaryDirectory())
        try Self.publish("default", ["app.fun_button.text": "Here"], server)
        try Self.publish("shop", ["app.fun_button.text": "Elsewhere"], server)
        let tmux = try Self.tmux(server, folder)
        try tmux.waitFor("the first namespace") { $0.contains("Here") }
        for (name, text) in [("shop", "Elsewhere"), ("default", "Here")] {
            try tmux.sendKeys("S")
            try tmux.waitFor("the namespaces") { $0.contains("● live") && $0.contains("shop") && $0.contains("1 key") }
            try tmux.type(name)
            try tmux.sendKeys("Enter")
            try tmux.waitFor("the namespace \(name)") { $0.contains("▸  \(text)  ◂") && !$0.contains("Sources") }
        }
        try Self.publish("default", ["app.fun_button.text": "Later"], server)
        try tmux.waitFor("a change of it") { $0.contains("▸  Later  ◂") }
        try tmux.sendKeys("q")
        #expect(try tmux.waitForExit() == .exited(0))
    }

    /// From no configuration to a first value.
    @Test func aFreshStartCreatesAFile() throws {
        let demo = try RunningDemo(config: nil, waitingFor: "Create config.json")
        try demo.type("1", until: "live ")
        #expect(try String(contentsOfFile: demo.folder["config.json"], encoding: .utf8).contains("#87CEFA"))
        #expect(try demo.quit() == .exited(0))
    }
}
