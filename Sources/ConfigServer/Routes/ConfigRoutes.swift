// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import ConfigModel
internal import ConfigWire
internal import NIOCore
internal import NIOHTTP1

/// The form of an answer to `GET /v1/{namespace}/config`, without its bytes.
enum ConfigForm: Hashable {
    /// The whole state.
    case snapshot(isGzip: Bool)
    /// The client has the state already.
    case notModified(isGzip: Bool)
    /// The whole state, in place of changes that are not known any more.
    case reset
    /// The changes since a revision.
    case changes(after: UInt64)
    /// The changes since a revision that only the store knows.
    case older(after: UInt64)
}

/// A request for `GET /v1/{namespace}/config`: what decides on its answer, whether an event loop or a route makes it.
struct ConfigRequest {
    enum Decision {
        case answer(ConfigForm)
        /// Wait until memory has this revision, which the client has seen.
        case wait(for: RevisionCursor)
    }

    let target: RequestTarget
    let conditions: ReadConditions

    /// - Parameters:
    ///   - catchUp: the outcome of waiting for the revision that the client has seen; `nil` before that.
    ///   - head: where memory was when it had the state.
    ///   - compress: compresses a short snapshot; `nil` if that does not pay.
    /// - Throws: ``Problem`` if the parameters make no sense or a condition is not met.
    func decide(
        _ state: NamespaceState,
        after catchUp: CatchUp?,
        at head: RevisionCursor,
        _ compress: (ByteBuffer) -> ByteBuffer?
    ) throws(Problem) -> Decision {
        let form =
            catchUp == .otherHistory
            ? .reset : try ConfigForm(for: state, target: target, conditions: conditions, compress: compress)
        if catchUp == nil, form.maySkipRevisions(for: conditions),
            let seen = conditions.latestSeen(of: state.cursor.epoch, target), head.isBehind(seen)
        {
            return .wait(for: seen)
        }
        try conditions.requireMatch(of: form.tag(state))
        return .answer(form)
    }
}

extension ConfigForm {
    fileprivate init(
        for state: NamespaceState,
        target: RequestTarget,
        conditions: ReadConditions,
        compress: (ByteBuffer) -> ByteBuffer?
    ) throws(Problem) {
        if target.query != nil, let changes = try Self.changes(of: state, target) {
            self = changes
            return
        }
        let isGzip = conditions.acceptsGzip && state.isCompressible(compress)
        let tags = conditions.ifNoneMatch.flatMap { EntityTags($0) }
        let isKnown = tags?.matchesWeakly([state.tag, state.gzipTag]) ?? false
        self = isKnown ? .notModified(isGzip: isGzip) : .snapshot(isGzip: isGzip)
    }

    private static func changes(of state: NamespaceState, _ target: RequestTarget) throws(Problem) -> ConfigForm? {
        guard let asked = try target.cursor() else { return nil }
        guard asked.epoch == state.cursor.epoch, asked.revision <= state.revision else { return .reset }
        let after = asked.revision
        return state.changesReach(after) ? .changes(after: after) : .older(after: after)
    }

    /// Whether the answer is short work, for an event loop.
    func isInexpensive(of state: NamespaceState) -> Bool {
        switch self {
        case .snapshot(let isGzip): state.isShort || state.isCopied && state.hasSnapshot(isGzip: isGzip)
        case .changes(let after): state.changesAreShort(after: after)
        case .reset: state.isShort
        case .notModified: true
        case .older: false
        }
    }

    /// The entity tag of the answer in this form, without quotes; `nil` for changes, which have none.
    func tag(_ state: NamespaceState) -> String? {
        switch self {
        case .snapshot(let isGzip), .notModified(let isGzip): isGzip ? state.gzipTag : state.tag
        case .reset, .changes, .older: nil
        }
    }

    var status: UInt {
        if case .notModified = self { 304 } else { 200 }
    }

    /// Whether a client may have seen more than this form contains.
    fileprivate func maySkipRevisions(for conditions: ReadConditions) -> Bool {
        if conditions.liveryRevision != nil { return true }
        return switch self {
        case .snapshot: conditions.ifNoneMatch != nil
        case .reset: true
        case .notModified, .changes, .older: false
        }
    }

    /// The answer in this form; `nil` if only the store has it.
    func reply(
        _ state: NamespaceState,
        _ quotas: NamespaceQuotas,
        _ compress: (ByteBuffer) -> ByteBuffer?
    ) -> Reply? {
        let json: ByteBuffer
        switch self {
        case .snapshot(let isGzip):
            let compressed = isGzip ? state.compressedSnapshotJSON(compress) : nil
            var headers = Self.validators(state, isGzip: compressed != nil)
            headers.add(name: "content-type", value: "application/json")
            if compressed != nil { headers.add(name: "content-encoding", value: "gzip") }
            return Reply(.ok, headers: headers, body: compressed ?? state.snapshotJSON).announcing(quotas, state)
        case .notModified(let isGzip):
            return Reply(.notModified, headers: Self.validators(state, isGzip: isGzip))
        case .reset: json = state.resetJSON
        case .changes(state.revision): json = state.unchangedJSON
        case .changes(let after):
            guard let changes = state.changes(after: after)?.withoutSchemas else { return nil }
            json = ByteBuffer(bytes: ConfigAnswer.changes(changes, epoch: state.cursor.epoch).json)
        case .older: return nil
        }
        return Reply.json(json).announcing(quotas, state)
    }

    private static func validators(_ state: NamespaceState, isGzip: Bool) -> HTTPHeaders {
        [
            "etag": "\"\(isGzip ? state.gzipTag : state.tag)\"",
            "cache-control": "no-cache",
            "vary": "accept-encoding",
        ]
    }
}

extension Reply {
    /// The response with the maximum size of a snapshot of the namespace, so that clients can limit their reads.
    func announcing(_ quotas: NamespaceQuotas, _ state: NamespaceState) -> Reply {
        guard status == .ok else { return self }
        var reply = self
        // A list with times, and a page of the history, may be longer than the snapshot.
        let bytes = max(quotas.announcedBytes(for: state), body.readableBytes)
        reply.headers.replaceOrAdd(name: NamespaceQuotas.fieldName, value: String(bytes))
        return reply
    }

    /// The answer to a write, with the revision that it made.
    func naming(_ cursor: RevisionCursor) -> Reply {
        var reply = self
        reply.headers.replaceOrAdd(name: RevisionCursor.fieldName.lowercased(), value: cursor.description)
        return reply
    }
}

/// The state of a namespace, as clients follow it.
///
/// Event loops answer nearly all of these requests themselves (``ImmediateTarget``); these routes serve requests that need the
/// store or long work, and those with an unusual notation of the target.
extension ServerServices {
    func config(_ request: Request, _ context: RouteContext) async throws -> Reply {
        if let revision = try request.target.revision(.at) { return try await config(at: revision, request, context) }
        if try request.target.wantsSchemas() { return try await configWithSchemas(request, context) }
        guard let (state, head) = hub.stateAndHead(of: context.namespace) else { throw Problem.notReady }
        let question = ConfigRequest(target: request.target, conditions: request.conditions)
        let decision = try question.decide(state, after: context.catchUp, at: head, workers.compress)
        guard case .answer(let form) = decision else { throw Problem.behind }
        switch form {
        case .older(let revision): return try await changes(after: revision, since: state, context)
        case .changes: return try await single(0) { _ in try await reply(form, state, context) }
        case .snapshot, .reset, .notModified: return try await reply(form, state, context)
        }
    }

    /// The snapshot of a preview, which has no history.
    func draftConfig(_ request: Request, _ context: RouteContext) async throws -> Reply {
        let state = try preview(context.parameter("id"), of: context.namespace)
        if try request.target.wantsSchemas() { return try await wholeWithSchemas(state, request, context) }
        let question = ConfigRequest(target: request.target, conditions: request.conditions)
        guard case .answer(let form) = try question.decide(state, after: .done, at: state.cursor, workers.compress)
        else {
            throw Problem.behind
        }
        if case .older = form { return try await reply(.reset, state, context) }
        return try await reply(form, state, context)
    }

    private func reply(_ form: ConfigForm, _ state: NamespaceState, _ context: RouteContext) async throws -> Reply {
        let reply = try await workers.reply(form, state, hub.quotas, for: context.caller)
        guard let reply else { throw Problem.notReady }
        return reply
    }

    /// The changes that only the store knows.
    private func changes(
        after revision: UInt64,
        since state: NamespaceState,
        _ context: RouteContext
    ) async throws -> Reply {
        try await past(0, context) { lease in
            let namespace = context.namespace
            let (present, changes) = try await hub.changes(in: namespace, after: revision, charging: lease.charge())
            return try await workers.encoded(present, for: context.caller) { [quotas = hub.quotas] in
                var json: ByteBuffer?
                if let changes = changes?.withoutSchemas, present.cursor.epoch == state.cursor.epoch {
                    json = ByteBuffer(bytes: ConfigAnswer.changes(changes, epoch: present.cursor.epoch).json)
                }
                // The deletes of a long time may be larger than the state.
                if let long = json, long.readableBytes > 2 * max(1024, present.snapshotBytes) { json = nil }
                return Reply.json(json ?? present.resetJSON).announcing(quotas, present)
            }
        }
    }

    /// The answer to `GET /v1/{namespace}/config?at=41`: the state at a revision, as far as the history reaches.
    private func config(at revision: UInt64, _ request: Request, _ context: RouteContext) async throws -> Reply {
        if try request.target.cursor() != nil {
            throw Problem.invalidParameter("at", "'at' (a snapshot) and 'after' (changes) are mutually exclusive")
        }
        let isWithSchemas = try request.target.wantsSchemas()
        let state = try state(of: context.namespace)
        return try await past(state.snapshotBytes + (isWithSchemas ? state.schemaBytes : 0), context) { lease in
            let namespace = context.namespace
            let (present, former) = try await hub.contents(of: namespace, at: revision, charging: lease.charge())
            guard let former else { throw Problem.unknownRevision(revision, field: "at", present.revision) }
            // In two steps: the values are free before the body is made of the text.
            let json = try await workers.encoded(present, for: context.caller) {
                present.answerJSON(with: former, at: revision, schemas: isWithSchemas)
            }
            return try await workers.encoded(present, for: context.caller) { [quotas = hub.quotas] in
                Reply.json(ByteBuffer(bytes: json)).announcing(quotas, present)
            }
        }
    }

    func document(_ request: Request, _ context: RouteContext) async throws -> Reply {
        let state = try state(of: context.namespace)
        return try await tagged(state, state.tag, request, context) { state.documentJSON }
    }
}

extension Problem {
    static let unusualTarget = Problem(
        .badRequest,
        "invalid-target",
        "request streams by the exact path in /openapi.json, without percent-encoding or double slashes"
    )
}

extension RequestTarget {
    /// Whether there are no parameters but those of ``cursor()``, in their usual notation.
    var asksForChangesAtMost: Bool {
        guard let query else { return true }
        return query.utf8.split(separator: UInt8(ascii: "&")).allSatisfy {
            $0.starts(with: "epoch=".utf8) || $0.starts(with: "after=".utf8)
        }
    }

    /// The cursor for requests of changes; `nil` for requests of the state.
    func cursor() throws(Problem) -> RevisionCursor? {
        let after = try revision(.after)
        let epoch = try parameter(.epoch)
        guard after != nil || epoch != nil else { return nil }
        guard let after else { throw .invalidParameter("after", "'epoch' requires 'after', the revision") }
        guard let epoch = epoch.flatMap(Epoch.init) else {
            let detail = "'after' requires 'epoch', the 16 hexadecimal digits returned with the revision"
            throw .invalidParameter("epoch", detail)
        }
        return RevisionCursor(epoch: epoch, revision: after)
    }
}
