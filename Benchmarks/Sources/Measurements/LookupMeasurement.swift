// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Configuration
import RemoteConfig
import TestSupport

/// The cost of reading a value, next to swift-configuration's in-memory provider.
struct LookupMeasurement: Measurement {
    let batches: Int

    private static let lookups = 2000

    func run() async throws -> Section {
        let texts = (0..<1000).map { "app.group_\($0 / 10).key_\($0)" }
        let json = "{" + texts.map { "\"\($0)\": \"value of \($0)\"" }.joined(separator: ",") + "}"
        let state = try await StaticSource(json: Array(json.utf8)).state()
        let values = texts.map {
            (AbsoluteConfigKey(ConfigKey($0)), ConfigValue(.string("value of \($0)"), isSecret: false))
        }
        let own = ConfigReader(provider: RemoteConfigProvider(state: state))
        let peer = ConfigReader(provider: InMemoryProvider(values: Dictionary(uniqueKeysWithValues: values)))
        return try await onDedicatedThread { try compare(own, peer, texts.map { ConfigKey($0) }) }
    }

    private func compare(
        _ own: ConfigReader,
        _ peer: ConfigReader,
        _ keys: [ConfigKey]
    ) throws -> Section {
        var (ownTimes, peerTimes): ([Double], [Double]) = ([], [])
        for _ in 0..<batches {
            ownTimes.append(try Self.time(own, keys))
            peerTimes.append(try Self.time(peer, keys))
        }
        let (ours, theirs) = (Distribution(ownTimes), Distribution(peerTimes))
        var table = Table("`ConfigReader.string`, 1,000 keys", "median, ns", "p99 of the batches, ns")
        table.add("RemoteConfigProvider", Int(ours.median).grouped, Int(ours.percentile(99)).grouped)
        table.add("InMemoryProvider", Int(theirs.median).grouped, Int(theirs.percentile(99)).grouped)
        let ratio = ours.median / theirs.median
        let promise = "a lookup takes at most 1.2 times that of the in-memory provider"
        let goal = Goal(promise: promise, figure: ratio.text(2), isMet: ratio <= 1.2)
        return Section(title: "Lookups, in processor time", parts: [table, goal])
    }

    /// Nanoseconds for one of a batch of lookups.
    private static func time(_ reader: ConfigReader, _ keys: [ConfigKey]) throws -> Double {
        let time = try processorTime {
            for index in 0..<lookups { use(reader.string(forKey: keys[index % keys.count])) }
        }
        return time / .nanoseconds(1) / Double(lookups)
    }
}

/// A source that holds one document.
struct StaticSource: ConfigSource {
    let name = "benchmark"
    let delivery = SourceDelivery.watched
    let json: [UInt8]

    func read(after known: SourcePosition) async throws(ConfigModel.ConfigError) -> SourceReading {
        SourceReading(.document(try ConfigDocument(json: json, source: name)))
    }

    func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigModel.ConfigError) {}

    /// The state of a service for it.
    func state() async throws -> ConfigState {
        let service = RemoteConfigService(source: self)
        try await service.refresh()
        return service.state
    }
}
