// SPDX-License-Identifier: Apache-2.0

package import ConfigHub
package import ConfigModel
package import ConfigStore
internal import HashTreeCollections
package import Logging
internal import ServiceLifecycle
package import Testing

/// Runs a hub while a test uses it, and ends it as a server does.
package func withHub<Value>(
    _ store: some EntryStore,
    limits: NamespaceHub.Limits = .patient(),
    logger: Logger = .quiet,
    _ body: (NamespaceHub) async throws -> Value
) async throws -> Value {
    let hub = NamespaceHub(store: store, logger: logger, limits: limits)
    let group = ServiceGroup(services: [hub], logger: .quiet)
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await group.run() }
        _ = try #require(await hub.wait(atMost: .seconds(100)) { $0.head })
        let value = try await body(hub)
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
        return value
    }
}

/// Runs a hub on a store that fails and waits on request.
///
/// - Parameter answerTime: for a test that is about it.
package func withFaultyHub(
    answerTime: Duration? = nil,
    _ body: (NamespaceHub, FaultyStore) async throws -> Void
) async throws {
    let store = FaultyStore()
    let limits = NamespaceHub.Limits.patient { limits in
        if let answerTime { limits.answerTime = answerTime }
    }
    try await withHub(store, limits: limits) { hub in
        // A failing test releases all waiters, so that it ends.
        defer {
            store.letGo()
            store.tellEdits()
        }
        try await body(hub, store)
    }
}

/// Expects an error of the store with a code.
@discardableResult
package func expectFailure(
    _ code: StoreError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> PublishOutcome
) async -> StoreError? {
    let error = await #expect(throws: StoreError.self, sourceLocation: sourceLocation) { _ = try await body() }
    #expect(error?.code == code, sourceLocation: sourceLocation)
    return error
}

extension NamespaceHub.Limits {
    /// Limits with an answer time for a busy machine.
    package static func patient(_ change: (inout NamespaceHub.Limits) -> Void = { _ in }) -> NamespaceHub.Limits {
        var limits = NamespaceHub.Limits()
        limits.answerTime = .seconds(200)
        change(&limits)
        return limits
    }
}

extension NamespaceHub {
    /// Publishes values, `nil` for those to take away.
    @discardableResult
    package func edit(
        _ values: [String: EntryValue?],
        in namespace: String = "default"
    ) async throws -> PublishOutcome {
        try await publish(Publish(namespace: namespace, change: .edit(values)))
    }

    /// Waits until a namespace has reached a revision.
    package func waitUntil(_ namespace: String, reaches revision: UInt64, atMost limit: Duration) async
        -> NamespaceState?
    {
        await wait(atMost: limit) { hub in hub.state(of: namespace).flatMap { $0.revision >= revision ? $0 : nil } }
    }

    package func values(in namespace: String = "default") throws -> [String: EntryValue] {
        let state = try #require(self.state(of: namespace))
        return Dictionary(uniqueKeysWithValues: state.entries.map { ($0.key, $0.value.value) })
    }
}

extension Logger {
    /// Logs nothing.
    package static var quiet: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}
