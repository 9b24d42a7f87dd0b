// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Configuration
import Foundation
import Observing
import TestSupport

/// Resolving definitions beside reading the same value from swift-configuration, and what one change costs among many.
struct DefinitionsMeasurement: BlockingMeasurement {
    let batches: Int

    func measure() throws -> Section {
        Section(title: "Definitions, in processor time", parts: try resolving() + changing())
    }

    // MARK: Resolving

    private func resolving() throws -> [Section.Part] {
        let five = (0..<5).map { index in
            InMemoryProvider(values: index == 4 ? ["app.count": 7] : ["app.other": 7])
        }
        let reader = ConfigReader(providers: five)
        let sources = Self.sources()
        let stores = (0..<5).map { index in MemoryStore(index == 0 ? ["app.count": .integer(7)] : [:]) }
        let unlinked = ConfigDefinition("app.count", default: 0, remote: nil)
        let stored = stores.reduce(unlinked) { $0.stored(key: "app.count", in: $1) }
        let mixed = ConfigDefinition("app.count", default: 0)
            .remote("app.count").environment("app.count").stored(key: "app.count").when(.platform(.windows), return: 1)
            .tweak(category: "App", section: "Counts", name: "Count")
        let repository = ConfigRepository(inputs: sources)
        repository.add(mixed)
        let (table, medians) = try time(
            "A number that the last of five places has",
            [
                ("ConfigReader with five providers", { use(reader.int(forKey: "app.count", default: 0)) }),
                ("ConfigDefinition with five stores", { use(stored.value(from: sources)) }),
                ("with tweak, condition, store, environment, remote", { use(mixed.value(from: sources)) }),
                ("the same through a ConfigRepository", { use(repository[mixed]) }),
            ]
        )
        let promise = "a chain of five links is no slower than five providers"
        return [table, Goal(promise: promise, isMet: medians[1] <= medians[0])]
    }

    /// Sources of which only the remote configuration has the number.
    private static func sources() -> LinkInputs {
        LinkInputs(
            remote: ObservedReader(
                ConfigReader(provider: InMemoryProvider(values: ["app.count": 7])),
                watching: .never
            ),
            environment: ObservedReader(
                ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: [:])),
                watching: .constant
            ),
            store: MemoryStore(),
            tweaks: TweakRepository()
        )
    }

    // MARK: One changed key

    private func changing() throws -> [Section.Part] {
        let places = [10, 100, 10_000].map(ChangingPlace.init)
        let (table, medians) = try time(
            "A changed key, until its listener has returned",
            places.map { place in ("\(place.count.grouped) definitions", place.change) }
        )
        // The caches hold less of the larger tables; growth with the number would be a factor of a thousand.
        let isFlat = medians[2] < 2 * medians[0]
        return [table, Goal(promise: "a change costs the same among 10,000 definitions", isMet: isFlat)]
    }

    /// A number of definitions, of which one has a listener.
    private final class ChangingPlace {
        let count: Int
        private let store = MemoryStore()
        private let repository: ConfigRepository
        private let subscription: ObservationToken
        private var value = 0

        init(count: Int) {
            self.count = count
            repository = ConfigRepository(inputs: LinkInputs(store: store))
            let definitions = (0..<count).map { index in
                ConfigDefinition("n\(index)", default: 0, remote: nil).stored(key: "n\(index)")
            }
            repository.add(definitions)
            subscription = repository.listen(to: definitions[count / 2]) { use($0) }
        }

        func change() {
            value += 1
            store.apply([("n\(count / 2)", .integer(value))])
        }
    }

    /// The median nanoseconds of each kind of work, measured in turns.
    private func time(_ title: String, _ contenders: [(name: String, work: () throws -> Void)]) throws -> (
        Table, [Double]
    ) {
        let repetitions = 2000
        var times: [[Double]] = contenders.map { _ in [] }
        for _ in 0..<batches {
            for (index, contender) in contenders.enumerated() {
                let time = try processorTime { for _ in 0..<repetitions { try contender.work() } }
                times[index].append(time / .nanoseconds(1) / Double(repetitions))
            }
        }
        let distributions = times.map { Distribution($0) }
        var table = Table(title, "median, ns", "p99 of the batches, ns")
        for (contender, times) in zip(contenders, distributions) {
            table.add(contender.name, Int(times.median).grouped, Int(times.percentile(99)).grouped)
        }
        return (table, distributions.map(\.median))
    }
}
