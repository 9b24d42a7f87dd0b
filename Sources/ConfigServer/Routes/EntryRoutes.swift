// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import ConfigModel
internal import ConfigStore
internal import ConfigWire
internal import HashTreeCollections
internal import NIOCore
internal import NIOHTTP1

/// The entries of a namespace, to read and to write.
extension ServerServices {
    func entries(_ kind: EntryKind, _ request: Request, _ context: RouteContext) async throws -> Reply {
        let state = try state(of: context.namespace)
        let tag = try await workers.encoded(state, for: context.caller) { state.listTag }
        return try await tagged(state, tag, request, context, bytes: state.listBytes(kind)) {
            let entries = state.entries(kind).map { EntryMessage(kind, key: $0.key, entry: $0.value) }
            let list = EntryList(kind, entries.sorted { $0.key < $1.key }, at: state.cursor)
            return ByteBuffer(bytes: list.json)
        }.announcing(hub.quotas, state)
    }

    /// A form of a namespace with its entity tag; without a body if the client has the state.
    ///
    /// - Parameters:
    ///   - tag: that of the form.
    ///   - bytes: about how many bytes it has if it is made for each client; `nil` if it is made once.
    func tagged(
        _ state: NamespaceState,
        _ tag: String,
        _ request: Request,
        _ context: RouteContext,
        bytes: Int? = nil,
        _ encode: @escaping @Sendable () -> ByteBuffer
    ) async throws -> Reply {
        // Checked before the work is done.
        if try request.conditions.isKnown(tag: tag) { return .json(ByteBuffer(), tag: tag) }
        func reply() async throws -> Reply {
            .json(try await workers.encoded(state, for: context.caller, encode), tag: tag)
        }
        return if let bytes { try await single(bytes) { _ in try await reply() } } else { try await reply() }
    }

    func entry(_ kind: EntryKind, _ context: RouteContext) throws -> Reply {
        let (name, state) = (try context.name(of: kind), try state(of: context.namespace))
        guard let entry = state.entries(kind)[name] else { throw Problem.unknown(kind, name, state.revision) }
        let message = EntryMessage(kind, key: name, entry: entry)
        return .json(ByteBuffer(bytes: message.json), tag: message.tag(in: state.cursor.epoch)).naming(state.cursor)
    }

    func put(_ kind: EntryKind, _ request: Request, _ context: RouteContext) async throws -> Reply {
        let name = try context.name(of: kind)
        let key = kind.key(of: name)
        let body = try await workers.parsed(request.body, for: context.caller) { try EntryRequest(json: $0, kind) }
        let conditions = try WriteConditions(request, key: key, state: try state(of: context.namespace)).list
        let (outcome, state) = try await publish(
            "put" + kind.suffix,
            .edit([key: body.value]),
            conditions: conditions,
            message: body.message,
            for: context
        )
        // Of the state only the epoch counts: a write that was made later may have reached it already.
        guard let entry = outcome.entry(key) else { throw WriteConditions.failed(key: key, state) }
        let message = EntryMessage(kind, key: name, entry: entry)
        var reply = Reply.json(message.json, headers: ["etag": "\"\(message.tag(in: state.cursor.epoch))\""])
        if outcome.commit != nil, entry.createdAt == entry.updatedAt {
            reply.status = .created
            reply.headers.add(name: "location", value: WireRoute.entry(kind).path(context.namespace, name))
        }
        return reply.naming(outcome.cursor(after: state))
    }

    func unset(_ kind: EntryKind, _ request: Request, _ context: RouteContext) async throws -> Reply {
        let name = try context.name(of: kind)
        let key = kind.key(of: name)
        let conditions = try WriteConditions(request, key: key, state: try state(of: context.namespace)).list
        let change = Publish.Change.edit([key: nil])
        let (outcome, state) = try await publish("delete" + kind.suffix, change, conditions: conditions, for: context)
        switch outcome {
        case .committed:
            return Reply(.noContent, headers: ["cache-control": "no-store"]).naming(outcome.cursor(after: state))
        case .unchanged(let revision, _): throw Problem.unknown(kind, name, revision)
        default: throw WriteConditions.failed(key: key, state)
        }
    }

    func patch(_ request: Request, _ context: RouteContext) async throws -> Reply {
        let body = try await workers.parsed(request.body, for: context.caller, PublishRequest.init(json:))
        let conditions = try WriteConditions(request, state: try state(of: context.namespace))
        var edits: [String: EntryValue?] = body.set.mapValues { $0 }
        for key in body.unset { edits[key] = .some(nil) }
        for (name, schema) in body.schemas { edits[EntryKind.schema.key(of: name)] = .some(schema) }
        for (name, rule) in body.rules { edits[EntryKind.rule.key(of: name)] = .some(rule) }
        let (outcome, state) = try await publish(
            "patch",
            .edit(edits),
            conditions: conditions.expecting(body.expect),
            message: body.message,
            for: context
        )
        if let reply = Reply(receiptOf: outcome, state) { return reply }
        throw conditions.problem(outcome, state)
    }
}

extension EntryKind {
    /// The suffix of the action in the log, for other kinds than values.
    fileprivate var suffix: String { self == .value ? "" : "-" + rawValue }
}

extension RouteContext {
    /// The name of the entry that the path has, if it can be one.
    fileprivate func name(of kind: EntryKind) throws(Problem) -> String {
        try Problem.validName(parameter(kind == .value ? "key" : kind == .schema ? "name" : "rule"), kind)
    }
}

extension NamespaceState {
    /// About how many bytes a list of the entries of a kind has.
    fileprivate func listBytes(_ kind: EntryKind) -> Int { bytes(of: kind) + entries(kind).count * 128 }
}

extension EntryMessage {
    init(_ kind: EntryKind, key: String, entry: StoredEntry) {
        self.init(
            kind,
            key: key,
            value: entry.value,
            revision: entry.revision,
            createdAt: entry.createdAt,
            updatedAt: entry.updatedAt
        )
    }
}

extension PublishOutcome {
    /// The revision that was made, or that at which there was nothing to change.
    func cursor(after state: NamespaceState) -> RevisionCursor {
        RevisionCursor(epoch: state.cursor.epoch, revision: revision ?? state.revision)
    }
}

extension Reply {
    /// The receipt of a publish; `nil` if it was refused.
    init?(receiptOf outcome: PublishOutcome, _ state: NamespaceState) {
        guard outcome.revision != nil else { return nil }
        let changed = outcome.commit?.changes.keys.sorted() ?? []
        let receipt = PublishReceipt(
            cursor: outcome.cursor(after: state),
            updatedAt: outcome.commit?.updatedAt,
            changed: changed.compactMap(EntryKind.value.name),
            changedSchemas: changed.compactMap(EntryKind.schema.name),
            changedRules: changed.compactMap(EntryKind.rule.name)
        )
        self = Reply.json(receipt.json).naming(receipt.cursor)
    }
}
