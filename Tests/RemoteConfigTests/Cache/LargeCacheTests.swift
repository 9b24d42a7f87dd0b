// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Dispatch
import Foundation
import RemoteConfigTesting
import TestSupport
import Testing

@testable import RemoteConfig

@Suite(.timeLimit(.minutes(5)))
struct LargeCacheTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// A service on a queue that the test holds.
    private func service(of source: some ConfigSource, on queue: DispatchQueue) -> RemoteConfigService {
        var settings = ServiceSettings()
        settings.cache = ConfigCache(app: "test", version: "1", folder: folder.path)
        settings.executor = QueueExecutor(queue)
        return RemoteConfigService(source: source, settings)
    }

    @Test(arguments: [false, true]) func callerWaitsForSmallCachesAlone(isLayered: Bool) async throws {
        for size in [10, 300_000] {
            let values: [String: EntryValue] = [
                "size": .integer(size), "text": .string(String(repeating: "x", count: 60_000)),
            ]
            let padding = (0..<(size / 50_000)).map {
                ("pad\($0)", EntryValue.string(String(repeating: "x", count: 50_000)))
            }
            let base = TestSource(values.merging(padding) { $1 }, pollingEvery: .seconds(60))
            let source: any ConfigSource = isLayered ? LayeredSource([base]) : base
            _ = await service(of: source, on: DispatchQueue(label: "first")).refreshOutcome()
            let queue = DispatchQueue(label: "held")
            queue.suspend()
            let next = service(of: source, on: queue)
            var current: ConfigState.Snapshot { next.state.current }
            if size == 10 { #expect(current.snapshot.entries["size"]?.value == 10 && current.status.origin == .cache) }
            if size > 10, !isLayered { #expect(current.status.origin == .nothing) }
            queue.resume()
            try await until("the cache is loaded") { current.snapshot.entries["size"]?.value == .integer(size) }
            #expect(current.status.origin == .cache && current.status.problem == nil)
        }
    }

    /// Fetched values are compared with the cached ones, not with none.
    @Test(arguments: [ActivationPolicy.onDemand, .nextLaunch], [false, true])
    func largeCacheIsShownBeforeAnyRead(_ activation: ActivationPolicy, isLayered: Bool) async throws {
        let texts = (0..<10).map { ("text\($0)", EntryValue.string(String(repeating: "x", count: 50_000))) }
        let source = { (version: Int) -> any ConfigSource in
            let values = Dictionary(texts + [("version", .integer(version))]) { $1 }
            let source = TestSource(values, pollingEvery: .seconds(60))
            return isLayered ? LayeredSource([source]) : source
        }
        let cache = ConfigCache(app: "test", version: "1", folder: folder.path)
        try await RemoteConfigService(source: source(1), cache: cache).refresh()
        let next = RemoteConfigService(source: source(2), cache: cache, activation: activation)
        try await next.refresh()
        #expect(next["version"] == 1 && next.state.current.status.hasStagedChanges)
        #expect(await next.activate() == ["version"])
    }
}
