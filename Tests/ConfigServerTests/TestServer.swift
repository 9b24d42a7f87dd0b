// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigModel
import ConfigStore
import ConfigStoreTesting
import ConfigWire
import HubTestSupport
import Logging
import ServiceLifecycle
import TestSupport

@testable import ConfigServer

/// A server in this process, on any free port, with a store in memory.
struct TestServer: Sendable {
    let port: Int
    let hub: NamespaceHub
    let policy: AccessPolicy
    /// Begins the shutdown.
    let shutDown: @Sendable () async -> Void

    /// Runs a server for as long as the body takes.
    static func run(
        tokens: [AccessToken]? = nil,
        failedAttemptsPerMinute: Int = 20,
        settings: ServerSettings = ServerSettings(),
        store: some EntryStore = ReferenceStore(),
        patience: Duration = .seconds(1),
        limits: NamespaceHub.Limits = NamespaceHub.Limits(),
        logger: Logger = .quiet,
        body: (TestServer) async throws -> Void
    ) async throws {
        var limits = limits
        // A busy machine takes its time.
        limits.answerTime = .seconds(200)
        limits.patience = patience
        limits.checkInterval = .seconds(600)
        let (ports, found) = AsyncStream.makeStream(of: Int.self)
        var settings = settings
        settings.address.port = 0
        settings.hubLimits = limits
        settings.limits.workSeconds = max(settings.limits.workSeconds, 200)
        let policy = AccessPolicy(
            tokens: try tokens.map { try TokenTable(tokens: $0) },
            failedAttemptsPerMinute: failedAttemptsPerMinute
        )
        let application = try ServerApplication(store: store, policy: policy, settings: settings, logger: logger) {
            found.yield($0.port)
        }
        let hub = application.hub
        let group = ServiceGroup(configuration: .init(services: [.init(service: application)], logger: logger))
        let running = Task { try await group.run() }
        defer { running.cancel() }
        var iterator = ports.makeAsyncIterator()
        guard let port = await iterator.next(), await hub.wait(atMost: .seconds(60), for: { $0.head }) != nil else {
            return try await running.value
        }
        try await body(TestServer(port: port, hub: hub, policy: policy) { await group.triggerGracefulShutdown() })
        await group.triggerGracefulShutdown()
        try await running.value
    }

    /// Runs a server until a client has done its work, on a separate thread.
    static func script(
        tokens: [AccessToken]? = nil,
        failedAttemptsPerMinute: Int = 20,
        settings: ServerSettings = ServerSettings(),
        store: some EntryStore = ReferenceStore(),
        limits: NamespaceHub.Limits = NamespaceHub.Limits(),
        logger: Logger = .quiet,
        work: @escaping @Sendable (WireClient) throws -> Void
    ) async throws {
        try await run(
            tokens: tokens,
            failedAttemptsPerMinute: failedAttemptsPerMinute,
            settings: settings,
            store: store,
            limits: limits,
            logger: logger
        ) { try await $0.script(work) }
    }

    /// Runs blocking work on a separate thread.
    func script<Value: Sendable>(_ work: @escaping @Sendable (WireClient) throws -> Value) async throws -> Value {
        let port = port
        return try await onDedicatedThread { try work(WireClient(port: port)) }
    }
}

/// A value that is used by one thread after another.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
