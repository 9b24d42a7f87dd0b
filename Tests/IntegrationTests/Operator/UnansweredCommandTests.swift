// SPDX-License-Identifier: Apache-2.0

import ConfigWire
import Foundation
import TestSupport
import Testing

/// Each command against a server that does not answer, or without a server.
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct UnansweredCommandTests {
    enum Silence: String, CaseIterable, Sendable { case closed, resets, silent }

    @Test(arguments: Silence.allCases)
    func silentServerIsUnreachable(silence: Silence) throws {
        let server = try ScriptedServer { connection, _ in
            if silence == .silent { connection.waitForClient() } else { connection.reset() }
        }
        if silence == .closed { server.stop() }
        let desk = try OperatorDesk(address: "http://127.0.0.1:\(server.port)")
        try desk.folder.write(#"{"a": 2}"#, to: "f.json")
        try desk.folder.write(#"{"livery": 1, "schemas": {"a": true}}"#, to: "s.json")
        let advice = "check the address, and that the server is running"
        let unreachable = "Error: connection to 127.0.0.1:\(server.port) failed; \(advice)\n"
        // They wait for the same 10 s, side by side.
        let writing = ["rollback", "1", "--yes", "--remove-all"]
        let running = try (ExitCodeTableTests.commands + [writing]).map { ($0, try desk.start($0)) }
        for (command, process) in running {
            let status = try process.waitForExit(deadline: .seconds(90))
            #expect(status == .exited(69), "\(command): \(process.standardError)")
            #expect(process.standardOutput.isEmpty, "\(command)")
            if silence == .closed { #expect(process.standardError.hasSuffix(unreachable), "\(process.standardError)") }
            // All others read before they write.
            let isUncertain = [writing, ["draft", "close", "k3m9pq2r"]].contains(command) && silence != .closed
            #expect(process.standardError.contains("the result of the write is unknown") == isUncertain)
        }
    }

    @Test func invalidKeyHasOneCodeAndSendsNothing() throws {
        let server = try ScriptedServer { _, _ in }
        let desk = try OperatorDesk(address: "http://127.0.0.1:\(server.port)")
        for key in ["bad key", String(repeating: "x", count: 129)] {
            let commands = [
                ["get", key], ["set", key, "1"], ["set", "\(key)=1", "b=2"], ["unset", "b", key], ["watch", key],
                ["history", key], ["list", key], ["get", key, "--seen", "3"],
            ]
            for command in commands {
                let output = try desk.run(command)
                #expect(output.status == .exited(65), "\(command): \(output)")
                #expect(output.standardError.contains("the key "), "\(command)")
            }
        }
        #expect(server.connectionCount == 0)
    }

    @Test func aTokenGoesWithoutEncryptionOnlyWhereThatIsAllowed() throws {
        let proxy = try ScriptedServer { connection, request in
            let isAllowed = request["authorization"] == "Bearer secret"
            let body = #"{"epoch":"0000000000000007","revision":7,"entries":[]}"#
            try connection.respond(
                isAllowed ? "200 OK" : "401 Unauthorized",
                ["Content-Type": "application/json"],
                body
            )
        }
        let desk = try OperatorDesk(address: "http://config.example")
        let environment = ["LIVERY_TOKEN": "secret", "http_proxy": "http://127.0.0.1:\(proxy.port)"]
        let refused = try desk.run(["list"], environment)
        #expect(refused.status == .exited(77) && refused.standardError.contains("without encryption"))
        #expect(!refused.standardError.contains("secret"))
        #expect(proxy.requests.isEmpty)
        let allowed = try desk.run(["list", "--insecure-host", "config.example"], environment)
        #expect(allowed.status == .exited(0), "\(allowed)")
        #expect(proxy.requests.count == 1)
    }

    @Test func localErrorsHaveTheirExitCodes() throws {
        let desk = try OperatorDesk(address: "http://127.0.0.1:9")
        for command in ExitCodeTableTests.commands {
            #expect(try desk.run(command + ["--server", "ftp://x"]).status == .exited(64), "\(command)")
        }
        #expect(try desk.run(["list", "--nonsense"]).status == .exited(64))
        #expect(try desk.run(["list"], ["LIVERY_SERVER": "nonsense"]).status == .exited(64))
        #expect(try desk.run(["list"], ["LIVERY_TOKEN": "a b"]).status == .exited(77))
        #expect(try desk.run("diff", "missing.json").status == .exited(66))
        #expect(try desk.run("diff", "-", input: "{\"a\": nil}").status == .exited(65))
    }
}
