internal import ConfigModel
internal import HTTPTypes
internal import Hummingbird
internal import NIOHTTP1

/// What happened to a namespace, and the way back.
struct HistoryController: RouteController {
    let services: ServerServices
    let audit: AuditLog

    /// How many records are told where no limit is given, and at most.
    static let limits = (standard: 100, maximum: 1000)

    var routes: [Route] {
        [
            Route(.get, "/v1/{ns}/history", .namespace(.read)) { try await history($0, $1) },
            Route(.post, "/v1/{ns}/rollback", .namespace(.admin)) { try await rollback($0, $1) },
        ]
    }

    private func history(_ request: Request, _ context: RouteContext) async throws -> Reply {
        let target = request.target
        let key = try target.parameter("key")
        if let key, let problem = ConfigKey.problem(in: key) {
            throw Problem(.badRequest, "invalid-key", "the key \(problem)", key: key.excerpt(ofScalars: 128))
        }
        let limit = try target.parameter("limit").map(Self.limit) ?? Self.limits.standard
        let page = try await page(context.namespace, key, before: try target.revision("before"), limit)
        return .json(page.json)
    }

    private static func limit(_ text: String) throws(Problem) -> Int {
        guard let limit = UInt64(decimal: text), (1...UInt64(limits.maximum)).contains(limit) else {
            let detail = "'limit' is a whole number from 1 to \(limits.maximum)"
            throw Problem(.badRequest, "invalid-parameter", detail, field: "limit")
        }
        return Int(limit)
    }

    /// About as many records as asked for: a revision is never split, so that `before` misses nothing.
    private func page(
        _ namespace: String,
        _ key: String?,
        before: UInt64?,
        _ limit: Int
    ) async throws(StoreError) -> HistoryMessage {
        var count = limit + 1
        while true {
            let records = try await services.hub.history(of: namespace, key: key, before: before, limit: count)
            guard records.count == count, let cut = records.last?.revision else {
                return HistoryMessage(records: records, next: nil)
            }
            let whole = records.prefix { $0.revision > cut }
            if let last = whole.last {
                return HistoryMessage(records: Array(whole), next: last.revision)
            }
            count *= 2
        }
    }

    private func rollback(_ request: Request, _ context: RouteContext) async throws -> Reply {
        let body = try RollbackRequest(json: try await request.jsonBody(services.limits))
        let outcome = try await services.hub.publish(
            Publish(
                namespace: context.namespace,
                change: .rollback(to: body.to),
                author: context.principal.name,
                message: body.message
            )
        )
        guard let state = services.hub.state(of: context.namespace) else { throw Problem.notReady }
        switch outcome {
        case .committed(let commit):
            audit.wrote("rollback", commit, context)
            return PublishReceipt(commit, epoch: state.cursor.epoch).reply
        case .unchanged:
            return PublishReceipt(cursor: state.cursor, updatedAt: nil, changed: []).reply
        default:
            throw Problem(
                .notFound,
                "unknown-revision",
                "the history does not have the revision \(body.to); GET history lists those it has",
                field: "to",
                revision: state.revision
            )
        }
    }
}
