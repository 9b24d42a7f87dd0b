// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct KeyFileTests {
    @Test func customKeysWorkAndAreInTheHints() throws {
        let home = try TemporaryDirectory()
        try home.write(#"{"refresh": ["F5"], "quit": "x"}"#, to: "livery/keys.json")
        let demo = try RunningDemo(columns: 100, environment: ["XDG_CONFIG_HOME": home.path], waitingFor: "x Quit")
        try demo.type("r\u{1B}[15~", until: "Refreshed: no changes")
        try demo.terminal.write("x")
        #expect(try demo.terminal.waitForExit() == .exited(0))
    }

    @Test(arguments: [
        (#"{"fly": "f"}"#, "keys.json:1:9: fly: unknown action; expected one of open, "),
        (#"{"refresh": "Hyper-Q"}"#, "keys.json:1:13: refresh: unknown key \"Hyper-Q\"; expected a key such as"),
        (#"{"refresh": "x", "quit": ["F10", "x"]}"#, "keys.json:1:26: the key x is bound to quit and refresh"),
        (#"{"refresh": 3}"#, "keys.json:1:13: refresh: expected a key"),
        (#"{"#, "keys.json:1:2: "),
    ])
    func mistakesAreNamedWithTheirPlace(file: String, message: String) throws {
        let home = try TemporaryDirectory()
        try home.write(file, to: "livery/keys.json")
        let demo = try RunningDemo(environment: ["XDG_CONFIG_HOME": home.path])
        #expect(try demo.quit() == .exited(0))
        let output = String(decoding: demo.terminal.bytesReceived, as: UTF8.self)
        #expect(output.contains(message) && output.contains("; using the default keys"))
    }
}
