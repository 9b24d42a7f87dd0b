// SPDX-License-Identifier: Apache-2.0

#if MariaDB
    import Foundation
    import TestSupport
    import Testing

    /// Real servers on one real MariaDB.
    @Suite(.dedicatedThread, .serialized, .timeLimit(.minutes(5)))
    struct MariaDBServerTests {
        @Test func editsReachTheStreamsOfAnotherServer() throws {
            let mariaDB = try RunningMariaDB()
            let database = try mariaDB.makeDatabase()
            let arguments = ["--store", mariaDB.address(of: database)]
            let (here, there) = (try RunningServer(arguments: arguments), try RunningServer(arguments: arguments))
            #expect(try there.set("color", "\"#FFB6C1\"") == 201)
            let stream = try WireConnection(port: here.port)
            stream.send(WireClient.request("GET", "/v1/default/events"))
            _ = try stream.response()
            let hello = try Self.event("hello", of: stream)
            if !hello.contains("\"revision\":1") { _ = try Self.event("change", of: stream) }

            for count in 0..<20 {
                try mariaDB.run("UPDATE config SET value = 'by hand \(count)' WHERE `key` = 'color'", in: database)
                #expect(try Self.event("change", of: stream).contains("by hand \(count)"))
                // The write builds on the edit that the other server has just received.
                #expect([200, 201].contains(try there.set("other", "\(count)")))
                #expect(try Self.event("change", of: stream).contains("\"other\":\(count)"))
            }
        }

        @Test func aServerWaitsForItsDatabase() throws {
            let mariaDB = try RunningMariaDB()
            let database = try mariaDB.makeDatabase()
            try mariaDB.stop()
            let server = try RunningServer(
                arguments: ["--store", mariaDB.address(of: database)],
                environment: ["LIVERY_STORE_PASSWORD": "hunter2"],
                awaitsStore: false
            )
            try server.waitForOutput("is unreachable")
            #expect(try server.ask("GET", "/ready").status == 503)
            #expect(try server.ask("GET", "/health").status == 200)
            try mariaDB.start()
            try mariaDB.run("SET PASSWORD FOR root@127.0.0.1 = PASSWORD('hunter2')")
            try until("the server to be ready", lastState: server.output) {
                try server.ask("GET", "/ready").status == 200
            }
            #expect(try server.set("k", "1") == 201)
            try mariaDB.stop(signal: SIGKILL)
            #expect(try server.set("k", "2") == 503)
            #expect(try server.ask("GET", "/v1/default/entries/k").status == 200)
            try mariaDB.start()
            try until("the server to write again", lastState: server.output) {
                try server.set("k", "3") == 200
            }
            #expect(!server.output.contains("hunter2"))
        }

        private static func event(_ name: String, of stream: WireConnection) throws -> String {
            while let chunk = try stream.chunk(within: 90) {
                let text = String(decoding: chunk, as: UTF8.self)
                if text.contains("event: \(name)\n") { return text }
            }
            throw FixtureError("the stream ended before '\(name)'")
        }
    }
#endif
