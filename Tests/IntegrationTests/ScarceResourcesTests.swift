// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    /// Programs that the system gives too few descriptors or threads.
    @Suite(.dedicatedThread, .timeLimit(.minutes(5)))
    struct ScarceResourcesTests {
        /// The superuser may start any number of threads, so the program runs as a user without other processes.
        private static let noThreads =
            (geteuid() == 0 ? ["/usr/bin/setpriv", "--reuid=54321", "--regid=54321", "--clear-groups"] : [])
            + ["/usr/bin/prlimit", "--nproc=1"]

        /// Enough threads for the start can be too few later.
        @Test(arguments: [4, 6, 8, 10, 12, 16, 24]) func programsWorkOrReportTheLimit(threads: Int) throws {
            let limit = Array(Self.noThreads.dropLast()) + ["--nproc=\(threads)"]
            let document = try ScriptedServer { connection, _ in
                try connection.respond("200 OK", ["Content-Type": "application/json"], #"{"a":1}"#)
            }
            let folder = try TemporaryDirectory()
            try folder.allow(0o777, on: ".")
            let environment = Command.environment(adding: ["HOME": folder.path])
            let words = limit + [try builtProduct(named: "livery"), "--plain", document.url("/c.json").absoluteString]
            let output = try Command(words[0], Array(words.dropFirst()), environment: environment).run()
            #expect([.exited(0), .exited(69)].contains(output.status), "\(output)")
            #expect(output.standardOutput.contains("a = 1") == output.status.isSuccess, "\(output)")

            let serve = limit + [try builtProduct(named: "livery-server"), "--address", "127.0.0.1:0"]
            let server = try RunningCommand(
                Command(serve[0], Array(serve.dropFirst()), workingDirectory: folder.path)
            )
            try until("it serves or has ended") {
                !server.isRunning || server.standardError.contains("listening")
            }
            server.send(signal: SIGTERM)
            let status = try server.waitForExit()
            #expect([.exited(0), .exited(69)].contains(status), "\(status): \(server.standardError)")
        }

        @Test(
            arguments: ["livery", "livery-server"],
            [
                (wrapper: ["/usr/bin/prlimit", "--nofile=8"], limit: "open files", option: "ulimit -n"),
                (noThreads, "threads", "ulimit -u"),
            ]
        )
        func programReportsTheLimitToRaise(
            name: String,
            scarce: (wrapper: [String], limit: String, option: String)
        ) throws {
            let words = scarce.wrapper + [try builtProduct(named: name), "--version"]
            let output = try Command(words[0], Array(words.dropFirst())).run()
            #expect(output.status == .exited(69) && output.standardOutput.isEmpty, "\(output)")
            let message = output.standardError
            #expect(message.contains("cannot start") && message.contains(scarce.limit), "\(output)")
            #expect(message.contains("raise the limit (\(scarce.option))"), "\(output)")
        }
    }
#endif
