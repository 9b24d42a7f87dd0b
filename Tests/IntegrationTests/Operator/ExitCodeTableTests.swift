// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Each command, and each thing that can go wrong on the other side.
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct ExitCodeTableTests {
    static let commands = [
        ["get", "a"], ["set", "a", "1"], ["set", "a", "1", "--create"], ["set", "a", "1", "--if-match", "1"],
        ["unset", "a"], ["unset", "a", "--if-match", "1"], ["list"], ["namespaces"], ["watch"],
        ["watch", "--since", "1"], ["history"],
        ["rollback", "1", "--yes"],
        ["import", "f.json"], ["import", "f.json", "--dry-run"], ["export"], ["diff", "f.json"], ["login"],
        ["schema", "list"], ["schema", "show", "a"], ["schema", "set", "--from", "s.json"],
        ["schema", "set", "--from", "s.json", "--dry-run"], ["schema", "unset", "a"], ["schema", "check"],
        ["schema", "check", "s.json"], ["draft", "list"], ["draft", "new", "a=1"], ["draft", "close", "k3m9pq2r"],
        ["set", "a", "1", "--draft"], ["policy", "show"], ["policy", "set", "--approvals", "1"],
        ["history", "--drafts"],
    ]

    /// The response of a server, or of an impostor, to every request.
    struct Fault: Sendable, CustomTestStringConvertible {
        var status: String
        /// The kind of problem details; `nil` for a page as ordinary web servers send it.
        var problem: String?
        var retryAfter: String?
        var code: Int32
        var testDescription: String { [status, problem ?? "as HTML", retryAfter ?? ""].joined(separator: " ") }

        func answer(on connection: ScriptedConnection) throws {
            var fields = ["Content-Type": problem == nil ? "text/html" : "application/problem+json"]
            fields["Retry-After"] = retryAfter
            guard let problem else { return try connection.respond(status, fields, "<html>no</html>") }
            let body = #"{"type":"urn:livery:problem:\#(problem)","title":"t","status":1,"detail":"so it is"}"#
            try connection.respond(status, fields, body)
        }
    }

    @Test(arguments: [
        Fault(status: "200 OK", code: 76), Fault(status: "302 Found", code: 76),
        Fault(status: "400 Bad Request", code: 76), Fault(status: "404 Not Found", code: 76),
        Fault(status: "405 Method Not Allowed", code: 76), Fault(status: "409 Conflict", code: 76),
        Fault(status: "501 Unsupported method", code: 76),
        Fault(status: "404 Not Found", retryAfter: "3", code: 76),
        Fault(status: "404 Not Found", retryAfter: "Sun, 06 Nov 1994 08:49:37 GMT", code: 76),
        Fault(status: "407 Proxy Authentication Required", code: 77),
        Fault(status: "511 Network Authentication Required", code: 77), Fault(status: "425 Too Early", code: 69),
        Fault(status: "401 Unauthorized", code: 77), Fault(status: "403 Forbidden", code: 77),
        Fault(status: "413 Content Too Large", code: 65), Fault(status: "429 Too Many Requests", code: 75),
        Fault(status: "500 Internal Server Error", code: 69), Fault(status: "502 Bad Gateway", code: 69),
        Fault(status: "503 Service Unavailable", code: 69), Fault(status: "504 Gateway Timeout", code: 69),
        Fault(status: "400 Bad Request", problem: "rejected", code: 65),
        Fault(status: "403 Forbidden", problem: "forbidden", code: 77),
        Fault(status: "409 Conflict", problem: "revision-conflict", code: 75),
        Fault(status: "412 Precondition Failed", problem: "condition", code: 75),
        Fault(status: "413 Content Too Large", problem: "too-large", code: 65),
        Fault(status: "503 Service Unavailable", problem: "write-uncertain", code: 69),
        Fault(status: "507 Insufficient Storage", problem: "storage-full", code: 69),
    ])
    func exitCodeDependsOnTheAnswerAlone(fault: Fault) throws {
        let server = try ScriptedServer { connection, _ in try fault.answer(on: connection) }
        let desk = try OperatorDesk(address: "http://127.0.0.1:\(server.port)")
        try desk.folder.write(#"{"a": 2}"#, to: "f.json")
        try desk.folder.write(#"{"livery": 1, "schemas": {"a": true}}"#, to: "s.json")
        let isCommon = fault.status.hasPrefix("401") || fault.problem == "rejected"
        for command in Self.commands.prefix(isCommon ? .max : 1) {
            let output = try desk.run(command)
            let name = command.joined(separator: " ")
            #expect(output.status == .exited(fault.code), "\(name): \(output)")
            #expect(output.standardOutput.isEmpty, "\(name)")
            #expect(output.standardError.hasPrefix("Error: "), "\(name): \(output.standardError)")
            #expect(output.standardError.split(separator: "\n").count == 1, "\(name): \(output.standardError)")
        }
        for report in ["--plain", "--json"] {
            let cache = ["XDG_CACHE_HOME": desk.folder["cache"]]
            let output = try desk.run([report, desk.address], cache)
            #expect(output.status == .exited(fault.code), "\(report): \(output)")
        }
    }

    @Test func missingThingsHaveOneExitCode() throws {
        let fault = Fault(status: "404 Not Found", problem: "unknown-key", code: 1)
        let server = try ScriptedServer { connection, _ in try fault.answer(on: connection) }
        let desk = try OperatorDesk(address: "http://127.0.0.1:\(server.port)")
        for command in [["get", "a"], ["rollback", "1", "--yes"], ["history"], ["unset", "a"]] {
            #expect(try desk.run(command).status == .exited(1), "\(command)")
        }
    }
}
