// SPDX-License-Identifier: Apache-2.0

import ConfigStore
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import EmbeddedServer

@Suite(.timeLimit(.minutes(1)))
struct ShopTests {
    @Test func changedKeyChangesTheShopsOwnAnswer() async throws {
        let (addresses, listening) = AsyncStream.makeStream(of: HostAndPort.self)
        let shop = try buildShop(on: DatabaseStore(), port: 0, configPort: 0) { listening.yield($0) }
        try await shop.test(.live) { client in
            let address = try #require(await addresses.first { _ in true })
            try await TestClient.withClient(host: address.host, port: address.port) { config in
                // HTTP/1.1 requires the field Host, which this client sends only if it is given.
                let ready = TestClient.Request("/ready", method: .get, authority: "localhost")
                while try await config.execute(ready).status != .ok { await Task.yield() }
                try await client.execute(uri: "/", method: .get) { #expect(String(buffer: $0.body) == "Welcome") }
                let request = TestClient.Request(
                    "/v1/default/entries/shop.greeting",
                    method: .put,
                    authority: "localhost",
                    headers: [.contentType: "application/json"],
                    body: ByteBuffer(string: #"{"value": "Good evening"}"#)
                )
                let put = try await config.execute(request)
                #expect(put.status == .created)
                try await client.execute(uri: "/", method: .get) { #expect(String(buffer: $0.body) == "Good evening") }
            }
        }
    }
}
