internal import ConfigModel
internal import ConfigStore
internal import HTTPTypes
internal import HashTreeCollections
internal import Hummingbird
internal import NIOCore
internal import NIOHTTP1

/// The entries of a namespace, to read and to write.
struct EntriesController: RouteController {
    let services: ServerServices

    var handlers: [RouteHandler] {
        [
            RouteHandler(.entries) { try await list($0, $1) },
            RouteHandler(.patchEntries) { try await patch($0, $1) },
            RouteHandler(.entry) { try entry($1) },
            RouteHandler(.putEntry) { try await put($0, $1) },
            RouteHandler(.deleteEntry) { try await delete($0, $1) },
        ]
    }

    private func state(_ context: RouteContext) throws(Problem) -> NamespaceState {
        try services.state(of: context.namespace)
    }

    private func list(_ request: Request, _ context: RouteContext) async throws -> Reply {
        let state = try state(context)
        // Judged here already, to spare the work if the client has the state.
        guard try ReadConditions(request).verdict(tag: state.tag) == .sent else {
            return .json(ByteBuffer(), tag: state.tag)
        }
        let json = await services.workers.encoded(state) {
            let entries = state.entries.map { EntryMessage(key: $0.key, entry: $0.value) }
            return ByteBuffer(bytes: EntryMessage.json(of: entries.sorted { $0.key < $1.key }, at: state.cursor))
        }
        return .json(json, tag: state.tag).announcing(services.hub.quotas, state)
    }

    private func entry(_ context: RouteContext) throws -> Reply {
        let (key, state) = (try context.key(), try state(context))
        guard let entry = state.entries[key] else { throw Self.unknown(key, state.revision) }
        return .json(ByteBuffer(bytes: EntryMessage(key: key, entry: entry).json), tag: state.tag(of: entry))
    }

    private func put(_ request: Request, _ context: RouteContext) async throws -> Reply {
        let key = try context.key()
        let conditions = try WriteConditions(request, key: key, state: try state(context))
        let body = try await services.body(of: request) { (json) throws(ConfigError) in try ValueRequest(json: json) }
        let outcome = try await services.publish(
            "put",
            .edit([key: body.value]),
            conditions: conditions.list,
            message: body.message,
            for: context
        )
        let present = try state(context)
        switch outcome {
        case .committed(let commit):
            guard let entry = commit.changes[key] ?? nil else { throw Self.unknown(key, commit.revision) }
            var reply = Self.written(key, entry, present)
            if entry.createdAt == entry.updatedAt {
                reply.status = .created
                reply.headers.add(name: "location", value: "/v1/\(context.namespace)/entries/\(key)")
            }
            return reply.naming(Cursor(epoch: present.cursor.epoch, revision: commit.revision))
        case .unchanged:
            guard let entry = present.entries[key] else { throw Self.unknown(key, present.revision) }
            return Self.written(key, entry, present).naming(present.cursor)
        default: throw WriteConditions.failed(key: key, present)
        }
    }

    private static func written(_ key: String, _ entry: StoredEntry, _ state: NamespaceState) -> Reply {
        .json(EntryMessage(key: key, entry: entry).json, headers: ["etag": "\"\(state.tag(of: entry))\""])
    }

    private func delete(_ request: Request, _ context: RouteContext) async throws -> Reply {
        let key = try context.key()
        let conditions = try WriteConditions(request, key: key, state: try state(context))
        let outcome = try await services.publish("delete", .edit([key: nil]), conditions: conditions.list, for: context)
        switch outcome {
        case .committed(let commit):
            return Reply(.noContent, headers: ["cache-control": "no-store"])
                .naming(Cursor(epoch: try state(context).cursor.epoch, revision: commit.revision))
        case .unchanged: throw Self.unknown(key, try state(context).revision)
        default: throw WriteConditions.failed(key: key, try state(context))
        }
    }

    private func patch(_ request: Request, _ context: RouteContext) async throws -> Reply {
        let body = try await services.body(of: request) { (json) throws(ConfigError) in try PublishRequest(json: json) }
        let conditions = try WriteConditions(request, state: try state(context))
        var edits: [String: EntryValue?] = body.set.mapValues { $0 }
        for key in body.unset { edits[key] = .some(nil) }
        let outcome = try await services.publish(
            "patch",
            .edit(edits),
            conditions: conditions.list + (body.expect.map { [.head($0)] } ?? []),
            message: body.message,
            for: context
        )
        let state = try state(context)
        if let receipt = PublishReceipt(outcome, state) { return receipt.reply }
        if case .conditionFailed(let condition) = outcome, conditions.list.contains(condition) {
            throw WriteConditions.failed(state)
        }
        throw Problem(
            .conflict,
            "stale-revision",
            "the namespace is at revision \(state.revision); read it again before you retry",
            field: "expect",
            revision: state.revision
        )
    }

    static func unknown(_ key: String, _ revision: UInt64) -> Problem {
        Problem(.notFound, "unknown-key", "there is no such key", key: key, revision: revision)
    }
}

extension NamespaceState {
    /// The entity tag of an entry, without quotes.
    func tag(of entry: StoredEntry) -> String {
        Cursor(epoch: cursor.epoch, revision: entry.revision).description
    }
}

extension EntryMessage {
    init(key: String, entry: StoredEntry) {
        self.init(
            key: key,
            value: entry.value,
            revision: entry.revision,
            createdAt: entry.createdAt,
            updatedAt: entry.updatedAt
        )
    }
}

extension PublishReceipt {
    /// The receipt of a publish; `nil` if it was refused.
    init?(_ outcome: PublishOutcome, _ state: NamespaceState) {
        switch outcome {
        case .committed(let commit):
            let cursor = Cursor(epoch: state.cursor.epoch, revision: commit.revision)
            self.init(cursor: cursor, updatedAt: commit.updatedAt, changed: commit.changes.keys.sorted())
        case .unchanged: self.init(cursor: state.cursor, updatedAt: nil, changed: [])
        default: return nil
        }
    }

    /// The answer to a write.
    var reply: Reply { Reply.json(json).naming(cursor) }
}
