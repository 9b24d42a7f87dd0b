// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import ConfigModel
internal import ConfigStore
internal import ConfigWire
internal import Files
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
        let (problem, age) = await hub.readiness()
        let milliseconds = Int(age / .milliseconds(1))
        if let problem { throw Problem(readiness: problem, age: milliseconds) }
        return .json(StatusMessage.json("ready", age: milliseconds))
    }

    /// Without a query of the store, which may hang when its metrics are needed most.
    func metricsText(_ context: RouteContext) async -> Reply {
        let text = registry.text(measurements: serverMeasurements + processMeasurements + measurements(for: context))
        return Reply(
            .ok,
            headers: ["content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store"],
            body: ByteBuffer(string: text)
        )
    }

    private var serverMeasurements: [PrometheusRegistry.Measurement] {
        let version = ("version", SemanticVersion.livery.description)
        var all: [PrometheusRegistry.Measurement] = [
            .init(name: "livery_answer_bytes", value: Double(answers.used)),
            .init(name: "livery_body_bytes", value: Double(bodies.used)),
            .init(name: "livery_build_info", labels: [version], value: 1),
            .init(name: "livery_connections_limit", value: Double(limits.connections)),
            .init(name: "livery_connections_open", value: Double(metrics.connections.load(ordering: .relaxed))),
            .init(name: "livery_ready", value: hub.health.isReady ? 1 : 0),
            .init(name: "livery_store_lag_revisions", value: Double(hub.health.lag)),
            .init(name: "livery_streams_open", value: Double(metrics.streams.load(ordering: .relaxed))),
        ]
        if let backup = hub.store.lastBackup() {
            let seconds = Double(backup.milliseconds) / 1000
            all.append(.init(name: "livery_backup_last_success_timestamp_seconds", value: seconds))
        }
        return all
    }

    private var processMeasurements: [PrometheusRegistry.Measurement] {
        let files = [("process_open_fds", ProcessFiles.count), ("process_max_fds", ProcessFiles.limit)]
        return [
            .init(name: "process_cpu_seconds_total", value: ProcessUse.processorSeconds),
            .init(name: "process_resident_memory_bytes", value: Double(ProcessUse.residentBytes)),
            .init(name: "process_start_time_seconds", value: metrics.startTime),
        ] + files.compactMap { name, count in count.map { .init(name: name, value: Double($0)) } }
    }

    /// The quotas, and how much of them the namespaces use that the token may read.
    private func measurements(for context: RouteContext) -> [PrometheusRegistry.Measurement] {
        let namespaces = hub.namespacesAndHead()?.namespaces ?? []
        let quotas = hub.quotas
        var all: [PrometheusRegistry.Measurement] = [
            .init(name: "livery_namespaces", value: Double(namespaces.count)),
            .init(name: "livery_namespaces_limit", value: Double(quotas.namespaces)),
            .init(name: "livery_namespace_keys_limit", value: Double(quotas.keys)),
            .init(name: "livery_namespace_bytes_limit", value: Double(quotas.bytes)),
        ]
        for state in namespaces where context.principal.mayRead(state.namespace) {
            let (labels, use) = ([("namespace", state.namespace)], state.quotaUse)
            all.append(.init(name: "livery_namespace_keys", labels: labels, value: Double(use.keys)))
            all.append(.init(name: "livery_namespace_bytes", labels: labels, value: Double(use.bytes)))
        }
        for (namespace, counts) in hub.draftBoard.counts where context.principal.mayRead(namespace) {
            for status in DraftStatus.allCases where !status.isEnd {
                let labels = [("namespace", namespace), ("status", status.rawValue)]
                all.append(.init(name: "livery_drafts", labels: labels, value: Double(counts[status.rawValue] ?? 0)))
            }
        }
        return all
    }
}

extension Reply {
    static let greeting = Reply.json(Array(#"{"message":"Livery, live remote configuration"}"#.utf8))

    static func status(_ status: String) -> Reply { .json(StatusMessage.json(status)) }
}
