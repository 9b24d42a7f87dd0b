// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import ConfigModel
internal import ConfigStore
internal import ConfigWire
internal import NIOHTTP1

/// The history of a namespace, and the way back.
extension ServerServices {
    /// The number of records in a page: without a limit, and at most.
    private static let pageLimits = (standard: 100, maximum: 1000)

    func history(_ request: Request, _ context: RouteContext) async throws -> Reply {
        let target = request.target
        let kinds: [(WireParameter, EntryKind)] = [
            (.historyKey, .value), (.historySchema, .schema), (.historyRule, .rule),
        ]
        let keys = try kinds.compactMap { (parameter, kind) throws(Problem) in
            try target.parameter(parameter).map { (name) throws(Problem) in
                kind.key(of: try Problem.validName(name, kind))
            }
        }
        if keys.count > 1 { throw Problem.invalidParameter("key", "'key', 'schema' and 'rule' are mutually exclusive") }
        let limit = try target.parameter(.limit).map(Self.limit) ?? Self.pageLimits.standard
        let before = try target.revision(.before)
        return try await past(limits.historyPageBytes, context) { lease in
            // As many records as requested, or fewer: a page has a number of bytes, and a revision is never split, so that
            // `before` skips nothing. A single revision with more records, or more bytes, is returned whole.
            var page = HistoryPage(before: before, records: limit, bytes: limits.historyPageBytes)
            while let (before, limit) = page.query {
                let query = HistoryQuery(of: context.namespace, key: keys.first, before: before, limit: limit)
                page.append(try await hub.history(query, charging: lease.charge(after: page.bytes)))
            }
            let state = try state(of: context.namespace)
            let drafts = (try? hub.drafts(of: context.namespace).applied()) ?? [:]
            return try await workers.encoded(state, for: context.caller) { [quotas = hub.quotas, page] in
                Reply.json(page.message(with: drafts).json).announcing(quotas, state)
            }
        }
    }

    private static func limit(_ text: String) throws(Problem) -> Int {
        guard let limit = UInt64(decimal: text), (1...UInt64(pageLimits.maximum)).contains(limit) else {
            throw .invalidParameter("limit", "'limit' must be an integer from 1 to \(pageLimits.maximum)")
        }
        return Int(limit)
    }

    func rollback(_ request: Request, _ context: RouteContext) async throws -> Reply {
        let body = try await workers.parsed(request.body, for: context.caller, RollbackRequest.init(json:))
        let state = try state(of: context.namespace)
        let conditions = try WriteConditions(request, state: state)
        // It reads the past as well: two rollbacks at most wait for the store.
        let lease = try AnswerLease(state.snapshotBytes, of: answers)
        defer { withExtendedLifetime(lease) {} }
        return try await storeTurns.run(in: context.namespace, for: context.caller) { () async throws -> Reply in
            let (outcome, state) = try await publish(
                "rollback",
                .rollback(to: body.to),
                conditions: conditions.expecting(body.expect),
                message: body.message,
                for: context
            )
            if let reply = Reply(receiptOf: outcome, state) { return reply }
            if case .conditionFailed = outcome { throw conditions.problem(outcome, state) }
            throw Problem.unknownRevision(body.to, field: "to", state.revision)
        }
    }
}

extension Problem {
    /// - Parameter present: the revision of the namespace.
    static func unknownRevision(_ revision: UInt64, field: String, _ present: UInt64) -> Problem {
        let detail =
            revision > present
            ? "revision \(revision) does not exist yet; the namespace is at revision \(present)"
            : "revision \(revision) has been removed from the history"
        return Problem(.notFound, "unknown-revision", detail, field: field, revision: present)
    }
}
