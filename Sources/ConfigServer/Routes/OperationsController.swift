internal import ConfigModel
internal import ConfigStore
internal import HTTPTypes
internal import HashTreeCollections
internal import Hummingbird
internal import NIOCore
internal import NIOHTTP1
internal import Synchronization

/// What operators and their machines ask.
struct OperationsController: RouteController {
    let services: ServerServices

    var routes: [Route] {
        [
            Route(.get, "/v1", .anyToken) { try info($1) },
            Route(.get, "/health", .open) { _, _ in .json(Array(#"{"status":"ok"}"#.utf8)) },
            Route(.get, "/ready", .open) { _, _ in try await ready() },
            Route(.get, "/metrics", .anyToken) { _, _ in metrics() },
            Route(.get, "/openapi.json", .open) { _, _ in .json(OpenAPIDocument.json) },
        ]
    }

    private func info(_ context: RouteContext) throws -> Reply {
        guard let head = services.hub.head else { throw Problem.notReady }
        let namespaces = services.hub.namespaces
            .filter { context.principal.mayRead($0.namespace) }
            .map { ServerInfo.Namespace(name: $0.namespace, revision: $0.revision, count: $0.entries.count) }
        return .json(ServerInfo(version: SemanticVersion.livery.description, head: head, namespaces: namespaces).json)
    }

    private func ready() async throws -> Reply {
        if services.hub.head == nil { throw Problem.notReady }
        if let problem = await services.hub.problem() { throw problem }
        return .json(Array(#"{"status":"ready"}"#.utf8))
    }

    private func metrics() -> Reply {
        let text = services.registry.text(gauges: [
            ("livery_streams_open", Double(services.metrics.streams.load(ordering: .relaxed))),
            ("livery_connections_open", Double(services.metrics.connections.load(ordering: .relaxed))),
            ("process_resident_memory_bytes", Double(ProcessMemory.residentBytes)),
        ])
        return Reply(
            .ok,
            headers: ["content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store"],
            body: ByteBuffer(string: text)
        )
    }
}
