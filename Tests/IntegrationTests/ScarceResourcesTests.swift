// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    /// Programs that the system gives too few descriptors or threads.
    @Suite(.dedicatedThread, .timeLimit(.minutes(5)))
    struct ScarceResourcesTests {
        /// The superuser may start any number of threads, so the program runs as a user without other processes.
        private static func threads(_ count: Int) -> [String] {
            (geteuid() == 0 ? ["/usr/bin/setpriv", "--reuid=54321", "--regid=54321", "--clear-groups"] : [])
                + ["/usr/bin/prlimit", "--nproc=\(count)"]
        }

        /// Enough threads for the start can be too few later.
        @Test(arguments: [4, 6, 8, 10, 12, 16, 24]) func programsWorkOrReportTheLimit(threads: Int) throws {
            let limit = Self.threads(threads)
            let document = try ScriptedServer { connection, _ in
                try connection.respond("200 OK", ["Content-Type": "application/json"], #"{"a":1}"#)
            }
            let folder = try TemporaryDirectory()
            try folder.allow(0o777, on: ".")
            let environment = Command.environment(adding: ["HOME": folder.path])
            let words = limit + [try builtProduct(named: "livery"), "--plain", document.url("/c.json").absoluteString]
            let output = try Command(words: words, environment: environment).run()
            #expect([.exited(0), .exited(71)].contains(output.status), "\(output)")
            #expect(output.standardOutput.contains("a = 1") == output.status.isSuccess, "\(output)")

            let serve = limit + [try builtProduct(named: "livery-server"), "--address", "127.0.0.1:0"]
            let server = try RunningCommand(Command(words: serve, workingDirectory: folder.path))
            try until("it serves or has ended") {
                !server.isRunning || server.standardError.contains("listening")
            }
            server.send(signal: SIGTERM)
            let status = try server.waitForExit()
            #expect([.exited(0), .exited(71)].contains(status), "\(status): \(server.standardError)")
        }

        @Test(arguments: [
            ("livery", ["/usr/bin/prlimit", "--nofile=8"], "open files", "ulimit -n"),
            ("livery", ["/usr/bin/prlimit", "--as=200000000"], "memory", "ulimit -v"),
            ("livery-server", ["/usr/bin/prlimit", "--nofile=8"], "open files", "ulimit -n"),
            ("livery-server", threads(1), "threads", "ulimit -u"),
            ("livery-server", ["/usr/bin/prlimit", "--as=300000000"], "memory", "ulimit -v"),
        ])
        func programReportsTheLimitToRaise(name: String, wrapper: [String], resource: String, option: String) throws {
            let words = wrapper + [try builtProduct(named: name), "--version"]
            let output = try Command(words: words).run()
            #expect(output.status == .exited(71) && output.standardOutput.isEmpty, "\(output)")
            let message = output.standardError
            #expect(message.contains("cannot start") && message.contains(resource), "\(output)")
            #expect(message.contains("raise the limit (\(option))"), "\(output)")
        }

        /// The soft limit is the user's, and the program raises it.
        @Test func aLowSoftLimitOfOpenFilesIsRaised() throws {
            let words = ["/usr/bin/prlimit", "--nofile=8:100", try builtProduct(named: "livery"), "--version"]
            #expect(try Command(words: words).run().status == .exited(0))
        }

        /// Never a trap, a blank screen or a hang. Of the memory, the code takes a part.
        @Test(
            arguments: [11, 12, 13, 18, 24, 34, 40].map { ["/usr/bin/prlimit", "--nofile=\($0)"] }
                + [1, 2, 3, 5, 8, 16].map(threads)
                + [150, 200, 250, 300, 400].map { ["/usr/bin/prlimit", "--as=\($0 << 20)"] }
        )
        func theScreenRunsOrReportsTheLimit(wrapper: [String]) throws {
            let demo = try RunningDemo(columns: 160, wrapper: wrapper, waitingFor: "")
            let terminal = demo.terminal
            try terminal.readUntil("a screen or a message") {
                $0.contains("live ") && $0.contains("#FFB6C1") || $0.contains("raise the limit")
            }
            _ = try? terminal.write("q")
            let status = try terminal.waitForExit()
            #expect(status == .exited(terminal.screen.contains("raise the limit") ? 71 : 0), "\(terminal.screen)")
            #expect(try terminal.terminalAttributes() == terminal.initialAttributes)
            #expect(!terminal.screen.isAlternate && terminal.screen.violations == [])
        }
    }
#endif
