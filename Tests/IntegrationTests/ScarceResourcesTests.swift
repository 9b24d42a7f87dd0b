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
            let output = try Command(words[0], Array(words.dropFirst())).run(deadline: .seconds(60))
            #expect(output.status == .exited(69) && output.standardOutput.isEmpty, "\(output)")
            let message = output.standardError
            #expect(message.contains("cannot start") && message.contains(scarce.limit), "\(output)")
            #expect(message.contains("raise the limit (\(scarce.option))"), "\(output)")
        }
    }
#endif
