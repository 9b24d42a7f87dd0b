// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PlainOutputTests {
    @Test(arguments: ["--json", ""]) func aDamagedFileOfTweaksIsReportedAndLeftUnchanged(flag: String) throws {
        let folder = try TemporaryDirectory()
        try folder.write(RunningDemo.pink, to: "config.json")
        try folder.write(##"{"default/app.background.color": "#0000FF""##, to: "livery/tweaks.json")
        let settings = ["XDG_CONFIG_HOME": folder.path]
        let output = try liveryCommand(flag.isEmpty ? [] : [flag], environment: settings, in: folder).run()
        #expect(output.status == .exited(0))
        #expect(output.standardOutput.contains("#FFB6C1") && output.standardOutput.contains("live"))
        #expect(output.standardOutput.contains("livery/tweaks.json:1:43: "))
        #expect(try folder.contents(of: "livery") == ["tweaks.json"])
    }

    /// Secret managers replace a file while programs run.
    @Test(arguments: ["/c.json", ""]) func tokenFileIsReadForEachRequest(path: String) throws {
        let folder = try TemporaryDirectory()
        try folder.writeSecret("old\n", to: "file")
        let server = try ScriptedServer { connection, request in
            let isKnown = request["authorization"] == "Bearer new"
            try connection.respond(isKnown ? "500 Known" : "401 Unauthorized", [:], "")
        }
        let arguments = ["--plain", "--follow", "http://127.0.0.1:\(server.port)\(path)", "--token-file", "file"]
        let command = try liveryCommand(arguments, environment: ["XDG_CACHE_HOME": folder["cache"]], in: folder)
        let running = try RunningCommand(command)
        try until("the refusal", lastState: running.standardOutput) {
            server.requests.contains { $0["authorization"] == "Bearer old" }
        }
        try folder.writeSecret("new\n", to: "file.next")
        #expect(rename(folder["file.next"], folder["file"]) == 0)
        try until("the new token", deadline: .seconds(120), lastState: running.standardOutput) {
            server.requests.contains { $0["authorization"] == "Bearer new" }
        }
        running.send(signal: SIGTERM)
        _ = try running.waitForExit()
    }

    @Test func aTokenFileThatIsAPipeIsReadOnce() throws {
        let server = try ScriptedServer { connection, _ in try connection.respond("404 Not Found", [:], "") }
        let livery = try builtProduct(named: "livery")
        let source = server.url("/c.json").absoluteString
        let script = "echo piped | \(livery) --plain \(source) --token-file /dev/stdin"
        #expect(try Command.shell(script).run().status == .exited(66))
        #expect(server.requests.map { $0["authorization"] } == ["Bearer piped"])
    }

    @Test func aRelativePathLeadsNowhereOnceItsFolderIsDeleted() throws {
        let folder = try TemporaryDirectory()
        let livery = try builtProduct(named: "livery")
        let script = "mkdir gone && cd gone && rmdir ../gone && exec \(livery) --json"
        let output = try Command.shell(script, workingDirectory: folder.path).run()
        #expect(output.standardOutput.contains("config.json: the current folder was deleted; use an absolute path"))
    }

    @Test(arguments: ["--plain", "--json"]) func unwritableCacheIsReportedWithTheState(flag: String) throws {
        let folder = try TemporaryDirectory()
        try folder.write("no folder", to: "cache/livery")
        let server = try ScriptedServer { connection, _ in
            try connection.respond("200 OK", ["Content-Type": "application/json"], body: Array(RunningDemo.sky.utf8))
        }
        let arguments = [flag, server.url("/c.json").absoluteString]
        let output = try liveryCommand(arguments, environment: ["XDG_CACHE_HOME": folder["cache"]], in: folder).run()
        #expect(output.status == .exited(0))
        #expect(output.standardOutput.contains("#87CEFA"))
        #expect(output.standardError.hasPrefix("livery: cannot write the cache"))
        #expect(output.standardError.count { $0 == "\n" } == 1)
    }

    /// The host of a document may be anybody's: it sees only a token that was named for it.
    @Test(
        arguments: [
            ("/c.json", [], nil), ("/c.json", ["--token-file", "file"], "Bearer from-file"),
            ("", [], "Bearer from-variable"), ("", ["--token-file", "file"], "Bearer from-file"),
        ] as [(String, [String], String?)]
    )
    func aTokenGoesWhereItIsMeantFor(path: String, options: [String], authorization: String?) throws {
        let folder = try TemporaryDirectory()
        try folder.writeSecret("from-file\n", to: "file")
        let server = try ScriptedServer { connection, _ in try connection.respond("404 Not Found", [:]) }
        let environment = ["LIVERY_TOKEN": "from-variable", "XDG_CACHE_HOME": folder.path]
        let arguments = ["--plain", "http://127.0.0.1:\(server.port)\(path)"] + options
        _ = try liveryCommand(arguments, environment: environment, in: folder).run()
        let request = try #require(server.requests.first)
        #expect(request["Authorization"] == authorization)
    }

    @Test func helpAndVersionAreThere() throws {
        let folder = try TemporaryDirectory()
        #expect(try liveryCommand(["--help"], in: folder).run().standardOutput.contains("EXAMPLES"))
        let version = try liveryCommand(["--version"], in: folder).run().standardOutput
        #expect(version == "0.9.0 (unoptimized build)\n")
        let wrong = try liveryCommand(["--sauce"], in: folder).run()
        #expect(wrong.status == .exited(64))
        #expect(wrong.standardError.contains("--sauce"))
    }
}

@Suite(.timeLimit(.minutes(5)))
struct AnnouncerTests {
    @Test func eachChangeIsALineAndTheCursorNeverMoves() throws {
        let demo = try RunningDemo(
            arguments: ["--plain", "--follow"],
            waitingFor: "app.background.color = \"#FFB6C1\""
        )
        try demo.overwrite(RunningDemo.sky)
        try demo.waitFor("app.background.color changed from \"#FFB6C1\" to \"#87CEFA\"")
        try demo.overwrite("{")
        try demo.waitFor("error: config.json:1:2: ")
        try demo.overwrite(RunningDemo.sky)
        try demo.waitFor("live: config.json")
        #expect(!demo.terminal.bytesReceived.contains(0x1B))
        try demo.terminal.write("\u{3}")
        #expect(try demo.terminal.waitForExit() == .signaled(SIGINT))
    }
}
