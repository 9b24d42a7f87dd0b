// SPDX-License-Identifier: Apache-2.0

#if Server
    import ConfigModel
    import RemoteConfig
    import RemoteConfigTesting
    import Testing

    /// A server in this process, over the real wire.
    @Suite(.timeLimit(.minutes(5)))
    struct TestServerTests {
        @Test func aClientFollowsTheServer() async throws {
            try await withTestServer { server in
                try await server.publish(["title": "Hi", "limit": 1])
                let service = RemoteConfigService(source: try ServerSource(url: server.url))
                await service.running {
                    #expect(service.values == ["title": "Hi", "limit": 1])
                    try? await server.publish(["title": "Hello", "limit": nil])
                    for await title in service.state.observe("title", as: String.self) where title == "Hello" {
                        break
                    }
                    #expect(service.values == ["title": "Hello"])
                    for await current in service.state.observe() where current.status.phase == .streaming { break }
                }
            }
        }

        @Test func serverRefusesClientsWithoutItsToken() async throws {
            try await withTestServer(requiresToken: true) { server in
                try await server.publish(["limit": 1])
                let stranger = RemoteConfigService(source: try ServerSource(url: server.url))
                #expect(await stranger.refreshOutcome().failure?.code == .unauthorized)
                let tokens = server.tokens
                let service = RemoteConfigService(source: try ServerSource(url: server.url, tokens: tokens))
                #expect(await service.refreshOutcome() == .changed(keys: ["limit"]))
                try await server.replaceToken()
                let late = RemoteConfigService(source: try ServerSource(url: server.url, tokens: tokens))
                #expect(await late.refreshOutcome().failure?.code == .unauthorized)
            }
        }

        @Test func invalidPublishIsRejectedWithTheReason() async throws {
            try await withTestServer { server in
                let error = await #expect(throws: ConfigError.self) { try await server.publish(["a..b": 1]) }
                #expect(error?.code == .invalidKey)
                #expect(error?.key == "a..b")
                let refused = await #expect(throws: ConfigError.self) { try await server.replaceToken() }
                #expect(refused?.code == .rejected)
            }
        }
    }

    extension RefreshOutcome {
        fileprivate var failure: ConfigError? {
            if case .failed(let error) = self { error } else { nil }
        }
    }
#endif
