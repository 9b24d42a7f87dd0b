// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The exit codes of `livery --plain` and `livery --json`: the facts are printed in any case.
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct PlainExitTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var status = "200 OK"
        var body = "{}"
        var code: Int32
        var testDescription: String { "\(status) \(body.prefix(30)) → \(code)" }
    }

    @Test(arguments: [
        Case(body: RunningDemo.pink, code: 0),
        Case(body: "{", code: 65),
        Case(body: RunningDemo.pink.replacing("#FFB6C1", with: "pink"), code: 65),
        Case(status: "404 Not Found", code: 66),
    ])
    func aDocumentIsReportedAndJudged(test: Case) throws {
        let server = try ScriptedServer { connection, _ in
            try connection.respond(test.status, ["Content-Type": "application/json"], test.body)
        }
        try Self.expect(test.code, of: server.url("/config.json").absoluteString)
    }

    @Test func unreachableSourcesHaveExitCodes() throws {
        let server = try ScriptedServer { _, _ in }
        let port = server.port
        server.stop()
        try Self.expect(69, of: "http://127.0.0.1:\(port)")
        try Self.expect(69, of: "http://127.0.0.1:\(port)/config.json")
        try Self.expect(66, of: "missing.json")
    }

    @Test func aReportWaitsALimitedTimeForASlowServer() throws {
        // No silence of the connection would end it.
        let server = try ScriptedServer { connection, _ in try connection.drip(every: .milliseconds(200)) }
        let start = ContinuousClock.now
        try Self.expect(69, of: server.url("/config.json").absoluteString, problem: "no complete response within 15 s")
        #expect(ContinuousClock.now - start < .seconds(45))
    }

    private static func expect(_ code: Int32, of source: String, problem: String? = nil) throws {
        let folder = try TemporaryDirectory(prefix: "plain")
        let running = try ["--plain", "--json"].map { flag in
            let cache = ["XDG_CACHE_HOME": folder["cache"]]
            return try RunningCommand(liveryCommand([flag, source], environment: cache, in: folder))
        }
        for command in running {
            let status = try command.waitForExit(deadline: .seconds(90))
            #expect(status == .exited(code), "\(command.command): \(command.standardOutput)\(command.standardError)")
            #expect(command.standardOutput.contains("app.fun_button.url") || command.standardOutput.contains("url:  "))
            if let problem { #expect(command.standardOutput.contains(problem), "\(command.standardOutput)") }
            #expect(
                command.standardOutput.contains("problem:") == (code != 0 && command.command.arguments[0] == "--plain")
            )
        }
    }
}
