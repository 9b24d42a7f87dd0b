// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import HashTreeCollections
internal import NIOCore
internal import NIOHTTP1
internal import Synchronization

/// The server itself, for operators and their machines.
extension ServerServices {
    func info(_ context: RouteContext) throws -> Reply {
        guard let (namespaces, head) = hub.namespacesAndHead() else { throw Problem.notReady }
        let shown = namespaces.filter { context.principal.mayRead($0.namespace) }
            .map { ServerInfo.Namespace(name: $0.namespace, revision: $0.revision, count: $0.entries.count) }
        return .json(ServerInfo(version: SemanticVersion.livery.description, head: head, namespaces: shown).json)
    }

    func ready() async throws -> Reply {
        if let problem = await hub.problem() { throw Problem(readiness: problem) }
        return .status("ready")
    }

    func metricsText() -> Reply {
        let text = registry.text(gauges: [
            ("livery_answer_bytes", Double(answers.used)),
            ("livery_body_bytes", Double(bodies.used)),
            ("livery_streams_open", Double(metrics.streams.load(ordering: .relaxed))),
            ("livery_connections_open", Double(metrics.connections.load(ordering: .relaxed))),
            ("process_resident_memory_bytes", Double(ProcessMemory.residentBytes)),
        ])
        return Reply(
            .ok,
            headers: ["content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store"],
            body: ByteBuffer(string: text)
        )
    }
}

extension Reply {
    static let greeting = Reply.json(Array(#"{"message":"Livery, live remote configuration"}"#.utf8))

    static func status(_ status: String) -> Reply { .json(Array(#"{"status":"\#(status)"}"#.utf8)) }
}
