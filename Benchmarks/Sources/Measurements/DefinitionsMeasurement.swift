// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import Configuration
import Foundation
import Observing
import TestSupport

/// Resolving definitions beside reading the same value from swift-configuration, and what one change costs among many.
struct DefinitionsMeasurement: Measurement {
    let batches: Int

    func run() async throws -> Section {
        try await onDedicatedThread {
            let (resolving, isNoSlower) = try resolving()
            let (changing, isFlat) = try changing()
            return Section(
                title: "Definitions, in processor time",
                parts: [
                    resolving,
                    Goal(promise: "a chain of five links is no slower than five providers", isMet: isNoSlower),
                    changing, Goal(promise: "a change costs the same among 10,000 definitions", isMet: isFlat),
                ]
            )
        }
    }

    // MARK: Resolving

    private func resolving() throws -> (Table, Bool) {
        var table = Table("A number that the last of five places has", "median, ns", "p99 of the batches, ns")
        let five = (0..<5).map { index in
            InMemoryProvider(values: index == 4 ? ["app.count": 7] : ["app.other": 7])
        }
        let reader = ConfigReader(providers: five)
        let providers = try time("ConfigReader with five providers", into: &table) {
            use(reader.int(forKey: "app.count", default: 0))
        }

        let sources = Self.sources()
        let stores = (0..<5).map { index in MemoryStore(index == 0 ? ["app.count": .integer(7)] : [:]) }
        let stored = stores.reduce(ConfigDefinition("app.count", default: 0)) { $0.stored(key: "app.count", in: $1) }
        let chain = try time("ConfigDefinition with five stores", into: &table) { use(stored.value(from: sources)) }

        let mixed = ConfigDefinition("app.count", default: 0)
            .remote("app.count").environment("app.count").stored(key: "app.count").when(.platform(.windows), return: 1)
            .tweak(category: "App", section: "Counts", name: "Count")
        let repository = ConfigRepository(sources: sources)
        repository.add(mixed)
        _ = try time("with tweak, condition, store, environment, remote", into: &table) {
            use(mixed.value(from: sources))
        }
        _ = try time("the same through a ConfigRepository", into: &table) { use(repository[mixed]) }
        return (table, chain <= providers)
    }

    /// Sources of which only the remote configuration has the number.
    private static func sources() -> ConfigSources {
        ConfigSources(
            remote: ReaderSource(ConfigReader(provider: InMemoryProvider(values: ["app.count": 7])), watching: .never),
            environment: .environment([:]),
            store: MemoryStore(),
            tweaks: TweakRepository()
        )
    }

    // MARK: One changed key

    private func changing() throws -> (Table, Bool) {
        var table = Table("A changed key, until its listener has returned", "median, ns", "p99 of the batches, ns")
        var medians: [Double] = []
        for count in [10, 100, 10_000] {
            let store = MemoryStore()
            let repository = ConfigRepository(sources: ConfigSources(store: store))
            let definitions = (0..<count).map { ConfigDefinition("n\($0)", default: 0).stored(key: "n\($0)") }
            repository.add(definitions)
            let subscription = repository.listen(to: definitions[count / 2]) { use($0) }
            var value = 0
            medians.append(
                try time("\(count.grouped) definitions", into: &table) {
                    value += 1
                    store.apply(["n\(count / 2)": .integer(value)])
                }
            )
            subscription.end()
        }
        // The caches hold less of the larger tables; growth with the number would be a factor of a thousand.
        return (table, (medians.last ?? 0) < 2 * medians[0])
    }

    /// The median nanoseconds of some work, which is added to a table.
    private func time(_ name: String, into table: inout Table, _ work: () throws -> Void) throws -> Double {
        let repetitions = 2000
        let times = Distribution(
            try (0..<batches).map { _ in
                try processorTime { for _ in 0..<repetitions { try work() } } / .nanoseconds(1) / Double(repetitions)
            }
        )
        table.add(name, Int(times.median).grouped, Int(times.percentile(99)).grouped)
        return times.median
    }
}
