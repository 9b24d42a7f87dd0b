// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    /// Whether this process may mount something, in a name space of its own.
    let canMount: Bool = {
        let mount = Command("/usr/bin/unshare", ["--mount", "/bin/sh", "-c", "mount -t tmpfs tmpfs /mnt"])
        return (try? mount.run(deadline: .seconds(30)).status.isSuccess) ?? false
    }()

    /// A server whose files must not grow any more, as those of a user whose quota is used up.
    @Suite(.timeLimit(.minutes(5)))
    struct FileSizeLimitTests {
        @Test func aFileSizeLimitRefusesWritesUntilItIsRaised() async throws {
            try await onDedicatedThread {
                // 512 KiB. The signal would end the server before SQLite has the error.
                let limit = #"trap "" XFSZ; ulimit -S -f 1024; exec "$0" "$@""#
                let server = try RunningServer(wrapper: ["/bin/sh", "-c", limit])
                var (number, ready) = (0, 200)
                // A server that is asked whether it is ready empties its log, after which there may be room.
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
                #expect(try server.ask("GET", "/v1/default/entries/key.\(number)").status == 404)
                let raise = Command("/usr/bin/prlimit", ["--pid", "\(server.processIdentifier)", "--fsize=unlimited"])
                #expect(try raise.run(deadline: .seconds(30)).status.isSuccess)
                try eventually("the server is ready", deadline: .seconds(60)) {
                    try server.ask("GET", "/ready").status == 200
                }
                #expect(try Self.put(number, server) == 201)
            }
        }

        private static func put(_ number: Int, _ server: RunningServer) throws -> Int {
            let body = "{\"value\":\"\(String(repeating: "x", count: 60_000))\"}"
            return try server.ask("PUT", "/v1/default/entries/key.\(number)", body: body).status
        }
    }

    /// A server whose disk runs full, which is a small one in memory that only the server's own file system has.
    @Suite(.timeLimit(.minutes(5)), .enabled(if: canMount, "mounting a file system takes root"))
    struct FullDiskTests {
        @Test func aFullDiskRefusesWritesUntilThereIsRoomAgain() async throws {
            try await onDedicatedThread {
                let folder = try TemporaryDirectory(prefix: "disk")
                let mount = #"mount -t tmpfs -o size=4m tmpfs "$0" && exec "$@""#
                let server = try RunningServer(
                    arguments: ["--store", folder.path(to: "livery.sqlite")],
                    wrapper: ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", mount, folder.path]
                )
                // What the server sees, as seen from here.
                let ballast = "/proc/\(server.processIdentifier)/root\(folder.path(to: "ballast"))"
                try Data(count: 2 << 20).write(to: URL(filePath: ballast))
                let connection = try WireConnection(port: server.port)
                let (written, refusal) = try Self.fill(connection)
                #expect(written > 0)
                #expect(refusal.status == 507)
                #expect(refusal["content-type"] == "application/problem+json")
                #expect(refusal.text.contains("storage-full"))
                try eventually("the reason in the log", deadline: .seconds(60), lastState: server.output) {
                    server.output.contains("no space left for the database")
                }

                connection.send("GET /v1/default/entries/key.\(written - 1) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(try connection.response().status == 200, "reads go on")
                connection.send("GET /v1/default/entries/key.\(written) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(try connection.response().status == 404, "what was refused is not there")

                try FileManager.default.removeItem(atPath: ballast)
                #expect(try Self.put(written, connection).status == 201, "writes go on without a restart")
                #expect(server.send(signal: 0), "the same process")
            }
        }

        @Test func aFullDiskUnderTheLogHindersNobodyAndIsSaidWhenThereIsRoom() async throws {
            try await onDedicatedThread {
                let folder = try TemporaryDirectory(prefix: "log")
                let data = try TemporaryDirectory(prefix: "server")
                let port = try freePorts(1)[0]
                let mount = #"mount -t tmpfs -o size=64k tmpfs "$0" && exec "$@" 2>> "$0/log""#
                let server = try RunningCommand(
                    Command(
                        "/usr/bin/unshare",
                        [
                            "--mount", "/bin/sh", "-c", mount, folder.path, try builtProduct(named: "livery-server"),
                            "--address", "127.0.0.1:\(port)",
                        ],
                        workingDirectory: data.path
                    )
                )
                defer { withExtendedLifetime(data) {} }
                let client = WireClient(port: port)
                try eventually("the server to be ready", deadline: .seconds(60)) {
                    (try? client.ask("GET", "/ready").status) == 200
                }
                let disk = "/proc/\(server.processIdentifier)/root\(folder.path)"
                let log = LogFile(path: disk + "/log")
                try log.wait("the first lines") { $0.contains("listening on") }
                Self.fillDisk(disk + "/ballast")
                // More lines than fit into what is left of the log's last page. They are written after the answers.
                for number in 0..<60 { #expect(try Self.set(number, client) == 201) }
                try log.wait("a full page") { $0.utf8.count.isMultiple(of: sysconf(Int32(_SC_PAGESIZE))) }
                for number in 60..<70 { #expect(try Self.set(number, client) == 201) }
                #expect(!log.text.contains("key.59"))
                try FileManager.default.removeItem(atPath: disk + "/ballast")
                #expect(try Self.set(70, client) == 201)
                try log.wait("the next line") { $0.contains("key.70") }
                #expect(log.text.contains("lines of this log were lost: No space left on device"), "\(log.text)")
                server.send(signal: SIGTERM)
                #expect(try server.waitForExit(deadline: .seconds(60)) == .exited(0))
            }
        }

        /// Writes a file until nothing more fits.
        private static func fillDisk(_ path: String) {
            let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
            defer { close(descriptor) }
            let block = [UInt8](repeating: 0, count: 512)
            while write(descriptor, block, block.count) > 0 {}
        }

        /// What the server has written.
        private struct LogFile {
            let path: String

            var text: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

            func wait(_ what: String, _ condition: (String) -> Bool) throws {
                try eventually(what, deadline: .seconds(60), lastState: text) { condition(text) }
            }
        }

        private static func set(_ number: Int, _ client: WireClient) throws -> Int {
            try client.ask("PUT", "/v1/default/entries/key.\(number)", body: #"{"value":1}"#).status
        }

        /// Writes until that is refused.
        private static func fill(_ connection: WireConnection) throws -> (written: Int, refusal: WireResponse) {
            var number = 0
            while true {
                let response = try put(number, connection)
                if response.status != 201 { return (number, response) }
                number += 1
            }
        }

        private static func put(_ number: Int, _ connection: WireConnection) throws -> WireResponse {
            let body = "{\"value\":\"\(String(repeating: "x", count: 60_000))\"}"
            connection.send(
                "PUT /v1/default/entries/key.\(number) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
            )
            return try connection.response()
        }
    }
#endif
