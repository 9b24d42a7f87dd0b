// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    /// Whether this process may mount a file system in a separate name space.
    let canMount: Bool = {
        let mount = Command("/usr/bin/unshare", ["--mount", "/bin/sh", "-c", "mount -t tmpfs tmpfs /mnt"])
        return (try? mount.run(deadline: .seconds(30)).status.isSuccess) ?? false
    }()

    /// A server whose files must not grow any more, as those of a user whose quota is used up.
    @Suite(.dedicatedThread, .timeLimit(.minutes(5)))
    struct FileSizeLimitTests {
        @Test func aFileSizeLimitRefusesWritesUntilItIsRaised() throws {
            // 512 KiB. The signal would end the server before SQLite has the error.
            let limit = #"trap "" XFSZ; ulimit -S -f 1024; exec "$0" "$@""#
            let server = try RunningServer(wrapper: ["/bin/sh", "-c", limit])
            var (number, ready) = (0, 200)
            // A readiness check empties the log of the server, after which there may be room.
            while ready == 200 {
                let status = try Self.put(number, server)
                if status == 201 {
                    number += 1
                } else {
                    #expect(status == 507)
                    ready = try server.ask("GET", "/ready").status
                }
                try #require(number < 1000)
            }
            #expect(ready == 507)
            try server.waitForOutput("the store rejects writes: ")
            #expect(try server.ask("GET", "/v1/default/entries/key.\(number)").status == 404)
            let raise = Command("/usr/bin/prlimit", ["--pid", "\(server.processIdentifier)", "--fsize=unlimited"])
            #expect(try raise.run(deadline: .seconds(30)).status.isSuccess)
            try until("the server is ready") {
                try server.ask("GET", "/ready").status == 200
            }
            #expect(try Self.put(number, server) == 201)
            try server.waitForOutput("the store accepts writes again")
        }

        private static func put(_ number: Int, _ server: RunningServer) throws -> Int {
            let body = "{\"value\":\"\(String(repeating: "x", count: 60_000))\"}"
            return try server.ask("PUT", "/v1/default/entries/key.\(number)", body: body).status
        }
    }
#endif
