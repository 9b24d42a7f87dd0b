// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    import TestSupport
    import Testing

    @testable import Files

    /// The limits of threads, from files such as those of the system.
    struct ProcessThreadsTests {
        private static let group = "sys/fs/cgroup/user/app"

        private func isFar(_ files: [String: String]) throws -> Bool {
            let folder = try TemporaryDirectory()
            for (name, text) in files { try folder.write(text + "\n", to: name) }
            return ProcessThreads.areFarFromLimits(12, root: folder.path)
        }

        private static let system = ["proc/loadavg": "0.26 0.61 1.85 2/84 16203", "proc/self/cgroup": "0::/user/app"]

        @Test(
            arguments: [
                ([:], true), ([group + "/pids.max": "max"], true),
                ([group + "/pids.max": "100", group + "/pids.current": "88"], true),
                ([group + "/pids.max": "100", group + "/pids.current": "89"], false),
                ([group + "/pids.max": "100"], false),
                (["sys/fs/cgroup/user/pids.max": "100", "sys/fs/cgroup/user/pids.current": "99"], false),
                (["sys/fs/cgroup/pids.max": "100", "sys/fs/cgroup/pids.current": "99"], false),
                (["proc/self/cgroup": "9:cpu:/\n8:pids:/a:b", "sys/fs/cgroup/pids/a:b/pids.max": "9"], false),
                (["proc/self/cgroup": "9:cpu:/\n8:pids:/", "sys/fs/cgroup/user/pids.max": "9"], true),
                (["proc/loadavg": "0.26 0.61 1.85 2/999999999999 16203"], false), (["proc/loadavg": ""], false),
            ] as [([String: String], Bool)]
        )
        func limitsOfAllGroupsAreRead(files: [String: String], expected: Bool) throws {
            #expect(try isFar(Self.system.merging(files) { $1 }) == expected)
        }

        @Test func withoutFilesNothingIsKnown() throws { #expect(try !isFar([:])) }
    }
#endif
