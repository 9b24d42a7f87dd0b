// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import Observing
import RemoteConfigTesting
import TestSupport
import Testing

@testable import RemoteConfig

// Values that are fetched now and activated later.
extension RemoteConfigServiceServerTests {
    private func shown(by service: RemoteConfigService) -> [String: EntryValue] {
        service.state.current.snapshot.entries.mapValues(\.value)
    }

    @Test func fetchedValuesWaitForActivation() async throws {
        server.publish { $0 = ["a": .integer(1), "b": .integer(1)] }
        try await live(activation: .onDemand) { service in
            #expect(shown(by: service) == [:], "not even the first values are shown")
            #expect(service.state.current.status.hasStagedChanges)
            #expect(service.state.current.status.origin == .nothing)
            #expect(await service.activate() == ["a", "b"])
            #expect(service.state.current.snapshot.revision == 1)
            #expect(shown(by: service) == server.values)
            #expect(!service.state.current.status.hasStagedChanges)
            #expect(service.state.current.status.origin == .source)
            #expect(await service.activate() == [], "nothing waits any more")

            let reads = server.reads.count
            server.publish { $0["a"] = .integer(2) }
            server.publish { $0["b"] = nil }
            server.publish { $0["c"] = .integer(1) }
            server.publish { $0["a"] = .integer(3) }
            try await fetches(service)
            #expect(server.reads.count == reads, "changes apply to what was fetched, not to what is shown")
            #expect(shown(by: service) == ["a": .integer(1), "b": .integer(1)])
            #expect(service.state.current.snapshot.cursor?.revision == 1)
            #expect(await service.activate() == ["a", "b", "c"])
            #expect(shown(by: service) == server.values)
            #expect(service.state.current.snapshot.cursor == server.cursor)
            #expect(service.state.current.changedKeys(since: 1) == ["a", "b", "c"])
            #expect(service.state.current.keys == ["a", "c"])
        }
    }

    @Test func refreshReportsStagedChanges() async throws {
        server.publish { $0["b"] = .integer(1) }
        let service = makeService(activation: .onDemand)
        #expect(await service.refreshOutcome() == .staged(keys: ["b"]))
        server.publish { $0["a"] = .integer(1) }
        await clock.passing {
            #expect(await service.refreshOutcome() == .staged(keys: ["a", "b"]))
            #expect(await service.refreshOutcome() == .staged(keys: ["a", "b"]), "all that waits, old or new")
            await service.activate()
            #expect(await service.refreshOutcome() == .unchanged)
            server.publish { $0["a"] = .integer(2) }
            #expect(await service.refreshOutcome() == .staged(keys: ["a"]))
            server.publish { $0["a"] = .integer(1) }
            #expect(await service.refreshOutcome() == .unchanged, "the source holds what is shown")
        }
    }

    @Test func recentlyFetchedValuesStayStaged() async throws {
        server.publish { $0["a"] = .integer(1) }
        let service = makeService(activation: .onDemand, policy: ConnectionPolicy(minimumFetchInterval: .seconds(3600)))
        #expect(await service.refreshOutcome() == .staged(keys: ["a"]))
        for _ in 0..<10 { #expect(await service.refreshOutcome() == .staged(keys: ["a"])) }
        await service.activate()
        #expect(await service.refreshOutcome() == .unchanged)
        #expect(server.reads.count == 1, "nothing was asked")
        clock.advance(by: .seconds(3600))
        server.publish { $0["a"] = .integer(2) }
        #expect(await service.refreshOutcome() == .staged(keys: ["a"]))
        #expect(server.reads.count == 2)
    }

    @Test func readyServiceMayHaveStagedChanges() async throws {
        server.publish { $0["a"] = .integer(1) }
        let service = makeService(activation: .onDemand)
        try await service.waitUntilReady(timeout: .seconds(2))
        #expect(service.state.current.status.hasStagedChanges && shown(by: service).isEmpty)
    }

    @Test func observerIsWokenOncePerStagedState() async throws {
        server.publish { $0["a"] = .integer(1) }
        let statuses = Log<SourceStatus>()
        try await live(activation: .onDemand) { service in
            await service.activate()
            let subscription = service.state.observed.observe { previous, next in
                if previous.status != next.status { statuses.append(next.status) }
            }
            for value in 2...50 {
                server.publish { $0["a"] = .integer(value) }
                try await fetches(service)
            }
            subscription.end()
        }
        #expect(statuses.entries.map(\.hasStagedChanges) == [true])
    }
}
