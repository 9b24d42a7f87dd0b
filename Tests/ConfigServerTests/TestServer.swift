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
    var tokens: [AccessToken]?
    var failedAttemptsPerMinute = 20
    var settings = ServerSettings()
    var store: any EntryStore = ReferenceStore()
    var patience = Duration.seconds(1)
    var limits = NamespaceHub.Limits()
    var logger = Logger.quiet

    /// Runs the server for as long as the body takes.
    func run(_ body: (LiveServer) async throws -> Void) async throws {
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
        try await body(LiveServer(port: port, hub: hub, policy: policy) { await group.triggerGracefulShutdown() })
        await group.triggerGracefulShutdown()
        try await running.value
    }

    /// Runs the server until a client has done its work, on a separate thread.
    func script(_ work: @escaping @Sendable (WireClient, LiveServer) throws -> Void) async throws {
        try await run { server in try await server.script { try work($0, server) } }
    }

    func script(_ work: @escaping @Sendable (WireClient) throws -> Void) async throws {
        try await script { client, _ in try work(client) }
    }
}

/// A server that runs.
struct LiveServer: Sendable {
    let port: Int
    let hub: NamespaceHub
    let policy: AccessPolicy
    /// Begins the shutdown.
    let shutDown: @Sendable () async -> Void

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

extension WireRoute {
    /// A target of the route in the namespace `default`, of the key, schema or rule `k`.
    var exampleTarget: String {
        path.replacing("{ns}", with: "default").replacing("{key}", with: "k").replacing("{name}", with: "k")
            .replacing("{rule}", with: "k").replacing("{id}", with: "d").replacing(
                "{timestamp}",
                with: "2020-10-17T18:43:19.000Z"
            )
    }

    /// A body that the route accepts; `nil` if it takes none.
    var exampleBody: String? { Self.bodies[name] ?? Self.bodies[method] }

    private static let bodies = [
        "PUT": #"{"value":2}"#, "PATCH": #"{"set":{"k":2}}"#, "POST /config": #"{"key":"new","value":"1"}"#,
        "POST /v1/{ns}/rollback": #"{"to":0}"#, "POST": #"{"context":{}}"#,
        "POST /v1/{ns}/evaluate": #"{"key":"k","contexts":[]}"#,
        "PUT /v1/{ns}/schemas/{name}": #"{"schema":{"maximum":9}}"#,
        "PUT /v1/{ns}/rules/{rule}": #"{"rule":{"variants":{"a":2}}}"#, "PUT /v1/{ns}/policy": #"{"approvals":0}"#,
        "POST /v1/{ns}/drafts": #"{"set":{"k":2}}"#, "POST /v1/{ns}/drafts/{id}/rebase": #"{"mine":["k"]}"#,
        "POST /v1/{ns}/drafts/{id}/reviews": #"{"digest":"","verdict":"reject"}"#,
        "POST /v1/{ns}/drafts/{id}/apply": #"{"digest":""}"#, "POST /v1/{ns}/drafts/{id}/close": "{}",
    ]
}
