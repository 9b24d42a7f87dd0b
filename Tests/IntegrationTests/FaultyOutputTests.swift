// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Every command of both programs with a standard output or a standard error that does not work.
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct FaultyOutputTests {
    /// The state of a broken descriptor.
    enum Fault: String, CaseIterable, Sendable {
        case closed, full, dead

        /// A script that becomes the program with the descriptor, 1 or 2, made so.
        func script(_ descriptor: Int) -> String {
            switch self {
            case .closed: #"exec "$0" "$@" \#(descriptor)>&-"#
            case .full: #"exec "$0" "$@" \#(descriptor)>/dev/full"#
            case .dead: Self.pipe + #"exec 3<&-; exec "$0" "$@" \#(descriptor)>&4 4>&-"#
            }
        }

        /// Opens a pipe whose only reader is descriptor 3.
        static let pipe = "mkfifo pipe.$$ && exec 3<>pipe.$$ 4>pipe.$$; "
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var program = "livery"
        var arguments: [String]
        /// The exit code with working descriptors.
        var code: Int32 = 0
        /// Whether it writes to standard output.
        var writes = true
        /// Whether it needs its standard error.
        var needsErrors = false
        var testDescription: String { "\(program) \(arguments.joined(separator: " "))" }
    }

    static let cases =
        [
            [], ["--json"], ["doctor"], ["help", "set"], ["--version"], ["---complete", "get", ""], ["get", "a"],
            ["set", "a", "2"], ["history"], ["rollback", "1", "--yes"], ["import", "f.json"], ["export"],
        ].map { Case(arguments: $0) } + [
            Case(arguments: ["diff", "f.json"], code: 1),
            Case(arguments: ["get", "none"], code: 1, writes: false),
            Case(arguments: ["login"], writes: false),
            Case(program: "livery-server", arguments: ["--help"]),
            Case(program: "livery-server", arguments: ["token", "create", "x"], needsErrors: true),
            Case(program: "livery-server", arguments: ["token", "create", "x", "--token-file", "new"]),
            Case(program: "livery-server", arguments: ["token", "list", "--token-file", "tokens"]),
            Case(program: "livery-server", arguments: ["backup", "copy", "--replace"], writes: false),
            Case(
                program: "livery-server",
                arguments: ["restore", "copy0", "--store", "other", "--replace"],
                writes: false
            ),
            Case(
                program: "livery-server",
                arguments: ["--tls-certificate", "c", "--tls-private-key", "k"],
                code: 66,
                writes: false
            ),
        ]

    @Test(arguments: cases)
    func noCommandFailsByItsOutputOtherThanIsDocumented(test: Case) throws {
        let desk = try Desk()
        // Closed ones come last, both at once.
        for fault in [Fault.full, .dead] {
            let output = try desk.run(test, fault.script(1))
            switch fault {
            case _ where !test.writes: #expect(output.status == .exited(test.code), "\(fault): \(output)")
            case .dead:
                #expect(output.status == .signaled(SIGPIPE), "\(fault): \(output)")
                #expect(!output.standardError.contains("cannot write the output"), "\(fault): \(output)")
            default:
                #expect(output.status == .exited(74), "\(fault): \(output)")
                #expect(output.standardError.contains("cannot write the output: "), "\(fault): \(output)")
            }
        }
        for fault in [Fault.full, .dead] {
            let output = try desk.run(test, fault.script(2))
            let isLost = test.needsErrors
            let status: TestSupport.ExitStatus =
                isLost ? (fault == .dead ? .signaled(SIGPIPE) : .exited(74)) : .exited(test.code)
            #expect(output.status == status, "\(fault) standard error: \(output)")
            #expect(output.standardOutput.isEmpty == (isLost || !test.writes), "\(fault) standard error: \(output)")
        }
        let both = try desk.run(test, #"exec "$0" "$@" >&- 2>&-"#)
        #expect(both.status == .exited(test.writes ? 74 : test.code), "both closed: \(both)")
    }

    @Test(arguments: [["set", "new", "-"], ["import", "-"], ["diff", "-"]])
    func aClosedStandardInputIsNoEmptyOne(arguments: [String]) throws {
        let desk = try Desk()
        let output = try desk.run(Case(arguments: arguments), #"exec "$0" "$@" <&-"#)
        #expect(output.status == .exited(66), "\(output)")
        #expect(output.standardError.contains("standard input: cannot read the file"), "\(output)")
        #expect(try desk.run(Case(arguments: ["get", "new"]), #"exec "$0" "$@""#).status == .exited(1))
    }

    @Test(arguments: Fault.allCases)
    func progressAndPromptsThatCannotBeShownChangeNothing(fault: Fault) throws {
        let desk = try Desk()
        let keys = (0..<2500).map { "\"key\($0)\": \($0)" }
        try desk.folder.write("{" + keys.joined(separator: ",") + "}", to: "many.json")
        let imported = try desk.run(Case(arguments: ["import", "many.json", "--batches"]), fault.script(2))
        #expect(imported.status.isSuccess, "\(imported)")
        #expect(imported.standardOutput.contains("\"new\": 2500"))

        let server = try ScriptedServer(admitting: "secret")
        let login = Case(arguments: ["login", "--server", "http://127.0.0.1:\(server.port)"])
        let terminal = try PseudoTerminal(running: desk.command(login, fault.script(2)), columns: 80, rows: 24)
        try until("the echo to be off") { try !terminal.terminalAttributes().echoes }
        try terminal.write("secret\n")
        #expect(try terminal.waitForExit() == .exited(0))
        #expect(server.requests.last?["authorization"] == "Bearer secret")
    }

    @Test(arguments: Fault.allCases)
    func followEndsWhenItsOutputIsClosed(fault: Fault) throws {
        let desk = try Desk()
        for arguments in [["--plain", "--follow"], ["watch"]] {
            let running = try desk.start(Case(arguments: arguments), fault.script(1))
            if arguments == ["watch"] {
                try running.waitForOutput("Watching")
                #expect(try desk.server.set("news", "1") == 201)
            }
            let status = try running.waitForExit()
            #expect(status == (fault == .dead ? .signaled(SIGPIPE) : .exited(74)), "\(arguments)")
        }
    }

    @Test(arguments: Fault.allCases)
    func serverRunsWithABrokenLog(fault: Fault) throws {
        let port = try freePorts(1)[0]
        let desk = try Desk(withServer: false)
        let test = Case(program: "livery-server", arguments: ["--address", "127.0.0.1:\(port)"])
        let running = try desk.start(test, fault.script(2))
        let client = WireClient(port: port)
        try Self.waitUntilReady(client)
        for number in 0..<50 {
            let answer = try client.ask("PUT", "/v1/default/entries/k\(number)", body: #"{"value":1}"#)
            #expect(answer.status == 201)
        }
        running.send(signal: SIGTERM)
        #expect(try running.waitForExit() == .exited(0))
    }

    @Test func blockedLogDoesNotBlockTheServer() throws {
        let port = try freePorts(1)[0]
        let desk = try Desk(withServer: false)
        #expect(mkfifo(desk.folder["log"], 0o600) == 0)
        // Open for both, so that opening does not wait for a reader; and as small as a pipe can be.
        let log = open(desk.folder["log"], O_RDWR | O_NONBLOCK)
        defer { close(log) }
        _ = fcntl(log, 1031 /* F_SETPIPE_SZ */, 4096)
        let test = Case(program: "livery-server", arguments: ["--address", "127.0.0.1:\(port)"])
        let running = try desk.start(test, #"exec "$0" "$@" 2>log"#)
        let client = WireClient(port: port)
        try Self.waitUntilReady(client)
        for number in 0..<200 {
            let answer = try client.ask("PUT", "/v1/default/entries/k\(number)", body: #"{"value":1}"#)
            #expect(answer.status == 201)
        }
        var text: [UInt8] = []
        try until("the last line") {
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = read(log, &chunk, chunk.count)
            if count > 0 { text += chunk.prefix(count) }
            return String(decoding: text, as: UTF8.self).contains("k199")
        }
        running.send(signal: SIGTERM)
        #expect(try running.waitForExit() == .exited(0))
    }

    private static func waitUntilReady(_ client: WireClient) throws {
        try until("the server to be ready") {
            (try? client.ask("GET", "/ready").status) == 200
        }
    }

    /// A folder with a configuration, a server on it, and the files that the commands name.
    private struct Desk {
        let folder: TemporaryDirectory
        private let running: RunningServer?

        init(withServer: Bool = true) throws {
            folder = try TemporaryDirectory(prefix: "output")
            running = withServer ? try RunningServer(folder: folder) : nil
            try folder.write(RunningDemo.pink, to: "config.json")
            try folder.write(#"{"a": 2, "z": 1}"#, to: "f.json")
            guard withServer else { return }
            #expect(try server.set("a", "1") == 201)
            #expect(try liveryServer(["backup", "copy0"], in: folder).status.isSuccess)
            _ = try makeToken("ci", role: "read", in: folder)
        }

        var server: RunningServer { get throws { try #require(running) } }

        func start(_ test: Case, _ script: String) throws -> RunningCommand {
            try RunningCommand(command(test, script))
        }

        func run(_ test: Case, _ script: String) throws -> Command.Output {
            if test.arguments.contains("new") { try? FileManager.default.removeItem(atPath: folder["new"]) }
            return try command(test, script).run(deadline: .seconds(90))
        }

        func command(_ test: Case, _ script: String) throws -> Command {
            let variables = [
                "LIVERY_SERVER": running?.address ?? "http://127.0.0.1:9", "XDG_CONFIG_HOME": folder["config"],
                "SAP_SHELL": "bash", "SAP_SHELL_VERSION": "5.2",
            ]
            return Command(
                "/bin/sh",
                ["-c", script, try builtProduct(named: test.program)] + test.arguments,
                environment: Command.environment(adding: variables),
                workingDirectory: folder.path
            )
        }
    }
}
