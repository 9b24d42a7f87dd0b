internal import ConfigModel
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
    /// What to do about a request.
    enum Decision {
        /// Answer in this form.
        case answer(ConfigForm)
        /// Wait until memory has this revision, which the client has seen.
        case wait(for: Cursor)
    }

    let target: RequestTarget
    let conditions: ReadConditions

    /// Decides on the form of the answer.
    ///
    /// - Parameters:
    ///   - catchUp: the outcome of waiting for what the client has seen; `nil` before that.
    ///   - head: where memory was when it had the state.
    ///   - compress: compresses a short snapshot; `nil` if that does not pay.
    /// - Throws: ``Problem`` if the parameters make no sense or a condition is not met.
    func decide(
        _ state: NamespaceState,
        after catchUp: CatchUp?,
        at head: Cursor,
        _ compress: (ByteBuffer) -> ByteBuffer?
    ) throws(Problem) -> Decision {
        let form =
            catchUp == .otherHistory
            ? .reset : try ConfigForm(for: state, target: target, conditions: conditions, compress: compress)
        if catchUp == nil, form.mayBeOld(for: conditions),
            let seen = SeenRevision.latest(of: state.cursor.epoch, in: conditions, target), head.isBehind(seen)
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
        let after = try target.revision("after")
        let epoch = try target.parameter("epoch")
        guard after != nil || epoch != nil else { return nil }
        guard let after else {
            throw Problem(.badRequest, "invalid-parameter", "'epoch' needs 'after', the revision", field: "after")
        }
        guard let epoch = epoch.flatMap(Epoch.init) else {
            let detail = "'after' needs 'epoch', the 16 hexadecimal digits that came with the revision"
            throw Problem(.badRequest, "invalid-parameter", detail, field: "epoch")
        }
        guard epoch == state.cursor.epoch, after <= state.revision else { return .reset }
        return state.changesReach(after) ? .changes(after: after) : .older(after: after)
    }

    /// Whether the answer is short work, for an event loop.
    func isAtHand(of state: NamespaceState) -> Bool {
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

    /// The status of the answer.
    var status: UInt {
        if case .notModified = self { 304 } else { 200 }
    }

    /// Whether a client might have seen more than this form says.
    fileprivate func mayBeOld(for conditions: ReadConditions) -> Bool {
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
        guard var reply = reply(state, compress) else { return nil }
        if reply.status == .ok { reply.announce(quotas, state) }
        return reply
    }

    private func reply(_ state: NamespaceState, _ compress: (ByteBuffer) -> ByteBuffer?) -> Reply? {
        switch self {
        case .snapshot(let isGzip):
            let compressed = isGzip ? state.compressedSnapshotJSON(compress) : nil
            var headers = Self.validators(state, isGzip: compressed != nil)
            headers.add(name: "content-type", value: "application/json")
            if let compressed {
                headers.add(name: "content-encoding", value: "gzip")
                return Reply(.ok, headers: headers, body: compressed)
            }
            return Reply(.ok, headers: headers, body: state.snapshotJSON)
        case .notModified(let isGzip):
            return Reply(.notModified, headers: Self.validators(state, isGzip: isGzip))
        case .reset:
            return .json(state.resetJSON)
        case .changes(let after):
            if after == state.revision { return .json(state.unchangedJSON) }
            guard let changes = state.changes(after: after) else { return nil }
            return .json(ConfigAnswer.changes(changes, epoch: state.cursor.epoch).json)
        case .older:
            return nil
        }
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
    /// Announces how many bytes a snapshot of the namespace may have, so that clients can limit what they read.
    mutating func announce(_ quotas: NamespaceQuotas, _ state: NamespaceState) {
        // A list with times, and a page of the history, may be longer than the snapshot.
        let bytes = max(quotas.announcedBytes(for: state), body.readableBytes)
        headers.replaceOrAdd(name: NamespaceQuotas.fieldName, value: String(bytes))
    }

    /// The answer with the announcement of how many bytes a snapshot of the namespace may have.
    func announcing(_ quotas: NamespaceQuotas, _ state: NamespaceState) -> Reply {
        var reply = self
        if status == .ok { reply.announce(quotas, state) }
        return reply
    }

    /// The answer to a write, with the revision that it made.
    func naming(_ cursor: Cursor) -> Reply {
        var reply = self
        reply.headers.replaceOrAdd(name: Cursor.fieldName.lowercased(), value: cursor.description)
        return reply
    }
}
