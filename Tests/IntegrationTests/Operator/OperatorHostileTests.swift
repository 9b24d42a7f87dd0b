// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct OperatorHostileTests {
    private static let value = "\u{1B}]0;owned\u{7}\u{1B}[2J\u{9B}31m\u{85}\r\nline two\t\u{202E}設定😸 e\u{301}"

    /// Nothing came that could command the terminal, except colours.
    private func expectHarmless(_ terminal: PseudoTerminal, _ command: String) {
        let text = terminal.plainText
        let commands = text.unicodeScalars.filter { scalar in
            scalar != "\n" && (scalar.properties.generalCategory == .control || scalar.value == 0x202E)
        }
        #expect(commands.isEmpty, "\(command): \(text.debugDescription)")
        #expect(!terminal.bytesReceived.isEmpty, "\(command) is silent")
        #expect(terminal.screen.violations == [], "\(command)")
    }

    @Test(arguments: [24, 80])
    func noValueReachesATerminalUnescaped(columns: Int) throws {
        let server = try RunningServer()
        let desk = try OperatorDesk(address: server.address)
        #expect(
            try desk.run("set", "app.key", "-", "--message", "why\u{1B}[2J\nnot", input: Self.value).status.isSuccess
        )
        try desk.folder.write(#"{"app": {"key": "other\u001b]0;x\u0007"}}"#, to: "other.json")
        let commands = [
            ["get", "app.key"], ["get", "app.key", "--json"], ["list"], ["list", "--json"], ["history"],
            ["history", "--json"], ["export"], ["export", "--flat"], ["diff", "other.json"],
            ["diff", "other.json", "--json"], ["import", "other.json", "--dry-run"], ["get", "none\u{1B}[2J"],
        ]
        for arguments in commands {
            let terminal = try desk.start(arguments, columns: columns)
            try terminal.waitForExit(deadline: .seconds(60))
            expectHarmless(terminal, arguments.joined(separator: " "))
        }
        let set = try desk.start(["set", "app.key", "new"], columns: columns)
        #expect(try set.waitForExit(deadline: .seconds(60)) == .exited(0))
        expectHarmless(set, "set")
    }

    /// Names of members and texts below arrays come from others as well.
    @Test(arguments: [24, 80])
    func noPartOfAnObjectReachesATerminalUnescaped(columns: Int) throws {
        let server = try RunningServer()
        let desk = try OperatorDesk(address: server.address)
        let text = String(decoding: try JSONEncoder().encode(Self.value), as: UTF8.self)
        let object = "{\(text):[{\(text):[\(text),null]}],\"n\":1.0}"
        let set = try desk.start(["set", "app.key", object], columns: columns)
        #expect(try set.waitForExit(deadline: .seconds(60)) == .exited(0))
        expectHarmless(set, "set")
        #expect(try desk.run("set", "app.key", "[1]", "--type", "array").status.isSuccess)
        #expect(try desk.run("rollback", "1", "--yes").status.isSuccess)
        try desk.folder.write("{\"app\":{\"key\":[\(text)],\(text):1},\(text):null}", to: "other.json")
        let commands = [
            ["get", "app.key"], ["get", "app.key", "--json"], ["list"], ["history"], ["history", "--json"], ["export"],
            ["diff", "other.json"], ["diff", "other.json", "--json"], ["import", "other.json", "--dry-run"],
            ["import", "other.json", "--replace"], ["set", "app.new", "{\(text):"],
        ]
        for arguments in commands {
            let terminal = try desk.start(arguments, columns: columns)
            try terminal.waitForExit(deadline: .seconds(60))
            expectHarmless(terminal, arguments.joined(separator: " "))
        }
    }

    @Test(arguments: ["NO_COLOR", "TERM"])
    func coloursAreForTerminalsThatWantThem(variable: String) throws {
        let server = try RunningServer()
        let desk = try OperatorDesk(address: server.address)
        _ = try desk.json("set", "a", "1")
        let colored = try desk.onTerminal("list")
        try colored.waitForExit(deadline: .seconds(60))
        #expect(colored.bytesReceived.contains(0x1B))
        let plain = try desk.onTerminal("list", environment: [variable: variable == "TERM" ? "dumb" : "1"])
        try plain.waitForExit(deadline: .seconds(60))
        #expect(!plain.bytesReceived.contains(0x1B))
        #expect(plain.plainText.contains("a    1"))
    }

    @Test func whatAHostileServerSaysIsHarmlessToo() throws {
        let problem = #"{"title":"t","status":409,"detail":"no\u001b[2J\u009b\nway","key":"k"}"#
        let server = try ScriptedServer { connection, _ in
            try connection.respond("409 Conflict", ["Content-Type": "application/problem+json"], problem)
        }
        let desk = try OperatorDesk(address: "http://127.0.0.1:\(server.port)")
        let terminal = try desk.onTerminal("list")
        #expect(try terminal.waitForExit(deadline: .seconds(60)) == .exited(75))
        expectHarmless(terminal, "list")
        #expect(terminal.plainText.contains("Error: k: no"))
    }
}

extension OperatorDesk {
    func start(_ arguments: [String], columns: Int) throws -> PseudoTerminal {
        let variables = ["LIVERY_SERVER": address, "XDG_CONFIG_HOME": folder.path(to: "config")]
        let command = Command(
            try builtProduct(named: "livery"),
            arguments,
            environment: Command.environment(adding: variables),
            workingDirectory: folder.path
        )
        return try PseudoTerminal(running: command, columns: columns, rows: 50)
    }
}
