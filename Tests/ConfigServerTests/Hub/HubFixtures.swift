import ConfigModel
import ConfigServer
import ConfigStore
import HashTreeCollections
import Logging
import ServiceLifecycle
import Synchronization
import Testing

/// Runs a hub while a test uses it, and ends it as a server does.
func withHub<Value>(
    _ store: some ConfigStore,
    limits: ConfigHub.Limits = .init(),
    _ body: (ConfigHub) async throws -> Value
) async throws -> Value {
    var limits = limits
    // A busy machine takes its time; a test that is about it asks for less.
    if limits.answerTime == ConfigHub.Limits().answerTime { limits.answerTime = .seconds(200) }
    let hub = ConfigHub(store: store, logger: .quiet, limits: limits)
    let group = ServiceGroup(services: [hub], logger: .quiet)
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await group.run() }
        _ = try #require(await hub.waitUntilLoaded(atMost: .seconds(100)))
        let value = try await body(hub)
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
        return value
    }
}

extension ConfigHub {
    /// Publishes values, `nil` for those to take away.
    @discardableResult
    func edit(
        _ values: [String: EntryValue?],
        in namespace: String = "default"
    ) async throws -> PublishOutcome {
        try await publish(Publish(namespace: namespace, change: .edit(values)))
    }

    func values(in namespace: String = "default") throws -> [String: EntryValue] {
        let state = try #require(self.state(of: namespace))
        return Dictionary(uniqueKeysWithValues: state.entries.map { ($0.key, $0.value.value) })
    }
}

extension Logger {
    /// Says nothing.
    static var quiet: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}

extension FaultyStore {
    /// How many publishes have been given to the store.
    var taken: Int { state.withLock { $0.batches.reduce(0, +) } }
}
