// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct OperatorHostileTests {
    private static let value = "\u{1B}]0;owned\u{7}\u{1B}[2J\u{9B}31m\u{85}\r\nline two\t\u{202E}設定😸 e\u{301}"

    /// The output contained no control sequence except colours.
    private func expectHarmless(_ terminal: PseudoTerminal, _ command: String) {
        let text = terminal.plainText
        let commands = text.unicodeScalars.filter { scalar in
            scalar != "\n" && (scalar.properties.generalCategory == .control || scalar.value == 0x202E)
        }
        #expect(commands.isEmpty, "\(command): \(text.debugDescription)")
        #expect(!terminal.bytesReceived.isEmpty, "\(command) is silent")
        #expect(terminal.screen.violations == [], "\(command)")
    }

    /// Names of members and texts below arrays come from others as well.
    @Test(arguments: [24, 80])
    func noValueReachesATerminalUnescaped(columns: Int) throws {
        let desk = try OperatorDesk()
        let text = String(decoding: try JSONEncoder().encode(Self.value), as: UTF8.self)
        let object = "{\(text):[{\(text):[\(text),null]}],\"n\":1.0}"
        let message = "why\u{1B}[2J\nnot"
        #expect(try desk.run("set", "app.text", "-", "--message", message, input: Self.value).status.isSuccess)
        try desk.folder.write("{\"app\":{\"text\":[\(text)],\"key\":1,\(text):1},\(text):null}", to: "other.json")
        let commands = [
            ["set", "app.key", object], ["get", "app.text"], ["get", "app.key"], ["get", "app.key", "--json"],
            ["get", "app.key", "--details"], ["list"],
            ["list", "--json"], ["history"], ["history", "--json"], ["export"], ["export", "--flat"],
            ["diff", "other.json"], ["diff", "other.json", "--json"], ["import", "other.json", "--dry-run"],
            ["import", "other.json", "--replace"], ["set", "app.text", "new"], ["set", "app.new", "{\(text):"],
            ["get", "none\u{1B}[2J"],
        ]
        for arguments in commands {
            let terminal = try desk.onTerminal(arguments, columns: columns, rows: 50)
            try terminal.waitForExit()
            expectHarmless(terminal, arguments.joined(separator: " "))
        }
    }

    @Test func hostileServerTextIsHarmless() throws {
        let problem = #"{"title":"t","status":409,"detail":"no\u001b[2J\u009b\nway","key":"k"}"#
        let server = try ScriptedServer { connection, _ in
            try connection.respond("409 Conflict", ["Content-Type": "application/problem+json"], problem)
        }
        let desk = try OperatorDesk(address: "http://127.0.0.1:\(server.port)")
        let terminal = try desk.onTerminal("list")
        #expect(try terminal.waitForExit() == .exited(75))
        expectHarmless(terminal, "list")
        #expect(terminal.plainText.contains("Error: k: no"))
    }

    @Test(arguments: ["NO_COLOR", "TERM"])
    func coloursFollowTheTerminalAndTheEnvironment(variable: String) throws {
        let desk = try OperatorDesk()
        defer { withExtendedLifetime(desk) {} }
        _ = try desk.json("set", "a", "1")
        let colored = try desk.onTerminal("list")
        try colored.waitForExit()
        #expect(colored.bytesReceived.contains(0x1B))
        let plain = try desk.onTerminal("list", environment: [variable: variable == "TERM" ? "dumb" : "1"])
        try plain.waitForExit()
        #expect(!plain.bytesReceived.contains(0x1B))
        #expect(plain.plainText.contains("a    1"))
    }
}
