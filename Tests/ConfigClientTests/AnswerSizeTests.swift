// SPDX-License-Identifier: Apache-2.0

import ConfigClient
import ConfigModel
import ConfigWire
import Foundation
import TestSupport
import Testing

/// The sizes of answers that a client accepts.
struct AnswerSizeTests {
    /// 9 MiB, and more announced.
    @Test(.timeLimit(.minutes(5))) func onlyAnswersWithManyEntriesMayBeLarge() async throws {
        let body = #"{"x":""# + String(repeating: "x", count: 9 << 20) + #""}"#
        let server = try ScriptedServer { connection, _ in
            let fields = ["Content-Type": "application/json", "livery-max-size": "67108864"]
            try connection.respond("200 OK", fields, body)
        }
        let client = ServerClient(address: try ServerAddress(server.url("").absoluteString))
        func code(_ call: (ServerClient) async throws(ConfigError) -> Void) async -> ConfigError.Code? {
            do throws(ConfigError) { try await call(client) } catch { return error.code }
            return nil
        }
        #expect(await code { (client) throws(ConfigError) in _ = try await client.info() } == .tooLarge)
        #expect(await code { (client) throws(ConfigError) in _ = try await client.entry("k") } == .tooLarge)
        #expect(
            await code { (client) throws(ConfigError) in
                _ = try await client.publish(PublishRequest(set: ["k": 1]))
            } == .tooLarge
        )
        // These are read to the end, whatever is in them.
        #expect(await code { (client) throws(ConfigError) in _ = try await client.snapshot() } != .tooLarge)
        #expect(await code { (client) throws(ConfigError) in _ = try await client.entries() } != .tooLarge)
        #expect(await code { (client) throws(ConfigError) in _ = try await client.historyPage() } != .tooLarge)
    }
}
