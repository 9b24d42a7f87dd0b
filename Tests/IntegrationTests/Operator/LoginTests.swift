// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LoginTests {
    private let server: ScriptedServer
    private let desk: OperatorDesk
    private static let token = "lvy_secret-0123456789"

    init() throws {
        server = try ScriptedServer(admitting: Self.token)
        desk = try OperatorDesk(address: "http://127.0.0.1:\(server.port)")
    }

    private var file: String { desk.folder["config/livery/credentials.json"] }

    @Test func aTokenIsReadWithoutEchoTriedAndKept() throws {
        let terminal = try desk.onTerminal("login")
        try terminal.readUntil("the question") { $0.contains("Token for") }
        try until("the echo to be off") { try !terminal.terminalAttributes().echoes }
        try terminal.write(Self.token + "\n")
        #expect(try terminal.waitForExit() == .exited(0))
        #expect(!terminal.plainText.contains("secret"))
        #expect(terminal.plainText.contains("Stored the token for"))
        #expect(try terminal.terminalAttributes() == terminal.initialAttributes)
        #expect(try desk.folder.mode(of: "config/livery/credentials.json") == 0o600)
        // The stored token is used from now on; this server has no entries to return.
        #expect(try desk.run("list").status == .exited(0))
        #expect(server.requests.last?["authorization"] == "Bearer \(Self.token)")
        #expect(try desk.run("logout").standardError.contains("Removed the token"))
        #expect(try desk.run("list").status == .exited(77))
    }

    @Test(arguments: ["wrong\n", "\n", ""])
    func aTokenThatDoesNotWorkIsNotKept(input: String) throws {
        let output = try desk.run("login", input: input)
        #expect(output.status == .exited(77))
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test func aTokenFromAPipeIsKeptToo() throws {
        #expect(try desk.run("login", "--stdin", input: Self.token + "\n").status.isSuccess)
        #expect(
            String(decoding: try desk.folder.read("config/livery/credentials.json"), as: UTF8.self).contains(Self.token)
        )
    }

    /// A variable is for other commands as well.
    @Test func aTokenIsForAServerAndNotForANamespace() throws {
        let shop = desk.address + "/v1/shop"
        for command in ["login", "logout"] {
            let refused = try desk.run(command, "--server", shop, input: Self.token)
            #expect(refused.status == .exited(64), "\(refused)")
            #expect(refused.standardError.contains("('shop'); use --server \(desk.address)\n"), "\(refused)")
        }
        #expect(server.requests.isEmpty)
        #expect(try desk.run("login", input: Self.token, environment: ["LIVERY_SERVER": shop]).status.isSuccess)
        #expect(
            try desk.run("logout", environment: ["LIVERY_SERVER": shop]).standardError.contains("Removed the token")
        )
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func aSignalLeavesTheTerminalAsItWas(signal: Int32) throws {
        let terminal = try desk.onTerminal("login")
        try terminal.readUntil("the question") { $0.contains("Token for") }
        try until("the echo to be off") { try !terminal.terminalAttributes().echoes }
        if signal == SIGINT { try terminal.write("\u{3}") } else { terminal.send(signal: signal) }
        #expect(try terminal.waitForExit() == .signaled(signal))
        #expect(try terminal.terminalAttributes() == terminal.initialAttributes)
    }

    @Test func loginStoresNoUnneededToken() throws {
        let open = try ScriptedServer(admitting: nil)
        let output = try desk.run("login", "--server", "http://127.0.0.1:\(open.port)", input: Self.token)
        #expect(output.status == .exited(0))
        #expect(output.standardError.contains("requires no token"))
        #expect(!FileManager.default.fileExists(atPath: file))
    }
}
