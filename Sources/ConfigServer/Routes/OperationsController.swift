internal import ConfigModel
internal import ConfigStore
internal import HTTPTypes
internal import HashTreeCollections
internal import Hummingbird
internal import NIOCore
internal import NIOHTTP1
internal import Synchronization

/// The server itself, for operators and their machines.
struct OperationsController: RouteController {
    let services: ServerServices

    var handlers: [RouteHandler] {
        [
            RouteHandler(.welcome) { _, _ in .json(Array(#"{"message":"Livery, live remote configuration"}"#.utf8)) },
            RouteHandler(.server) { try info($1) },
            RouteHandler(.health) { _, _ in .json(Array(#"{"status":"ok"}"#.utf8)) },
            RouteHandler(.ready) { _, _ in try await ready() },
            RouteHandler(.metrics) { _, _ in metrics() },
            RouteHandler(.description) { _, _ in .json(OpenAPIDocument.json) },
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
