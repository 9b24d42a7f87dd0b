// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfigTesting
import TestSupport
import Testing

@testable import RemoteConfig

// The start of a run's body.
extension RemoteConfigServiceServerTests {
    @Test func aRunThatReadsNothingBeginsOnceTheStreamIsOpen() async throws {
        server.publish { $0["a"] = .integer(1) }
        let service = makeService()
        await service.running { #expect(service.state.current.snapshot.cursor == server.cursor) }
        for _ in 0..<20 {
            await service.running { #expect(service.state.current.status.phase == .streaming) }
        }
        #expect(server.reads.count == 1, "the stream says all there is")
    }

    @Test func runStartsWithoutAServer() async throws {
        server.publish { $0["a"] = .integer(1) }
        let service = makeService()
        _ = await service.refreshOutcome()
        let gone = ConfigError(.unreachable, "gone")
        server.fail { ($0.opening, $0.reading) = (gone, gone) }
        for _ in 0..<20 {
            await service.running { #expect(service.state.current.status.problem == gone) }
        }
    }
}
