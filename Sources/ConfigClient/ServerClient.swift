// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
package import ConfigWire
package import HTTPTransport
internal import Synchronization

/// A client of a Livery server, one call a request.
///
/// Programs that follow a configuration use a `ServerSource`, which uses this client, with a connection and a cache. All
/// calls throw `unreachable`, `unavailable`, `unauthorized`, `forbidden`, `rateLimited` and `badResponse`, with the
/// server's own words where it gives any.
///
/// A client remembers what it has seen, and accepts nothing older from whichever of several servers on one store it reaches.
package struct ServerClient: Sendable {
    package let address: ServerAddress
    let transport: AuthorizedTransport
    private let timeouts: HTTPTimeouts
    private let seen = SeenRevision()

    package init(
        address: ServerAddress,
        tokens: TokenProvider = .fixed(nil),
        transport: CurlTransport,
        timeouts: HTTPTimeouts = .document
    ) {
        (self.address, self.timeouts) = (address, timeouts)
        self.transport = AuthorizedTransport(transport: transport, tokens: tokens)
    }

    package func info() async throws(ConfigError) -> ServerInfo {
        try await read(.server, ServerInfo.init(json:))
    }

    /// All values of the namespace, as they are at one moment.
    ///
    /// - Parameters:
    ///   - revision: the moment; now if `nil`.
    ///   - withSchemas: whether with the schemas of the same moment.
    /// - Throws: `notFound` if the history does not reach back to the revision.
    package func snapshot(
        at revision: UInt64? = nil,
        withSchemas: Bool = false
    ) async throws(ConfigError) -> ServerSnapshot {
        let request = configurationRequest(after: nil, at: revision, seen: latestSeen, withSchemas: withSchemas)
        let answer = try await read(request, ConfigAnswer.init(json:))
        guard case .snapshot(let snapshot, _) = answer, revision == nil || revision == snapshot.cursor.revision else {
            throw notOurs("it gave something else than the state that was asked for")
        }
        remember(snapshot.cursor)
        if revision == nil { note(revision: snapshot.cursor.revision) }
        return snapshot
    }

    /// What has changed since a moment; the whole state where the server does not know it any more.
    ///
    /// - Parameter withSchemas: whether with what became of the schemas.
    package func changes(since cursor: Cursor, withSchemas: Bool = false) async throws(ConfigError) -> ConfigAnswer {
        let request = configurationRequest(after: cursor, seen: latestSeen, withSchemas: withSchemas)
        return try await read(request, ConfigAnswer.init(json:))
    }

    /// The entries of a kind, by their names, and the revision of the namespace.
    package func entries(
        _ kind: EntryKind = .value
    ) async throws(ConfigError) -> (entries: [EntryMessage], revision: UInt64) {
        let list = try await read(.list(kind)) { (json) throws(ConfigError) in
            try EntryMessage.list(json: json, kind)
        }
        note(revision: list.cursor.revision)
        return (list.entries.sorted { $0.key < $1.key }, list.cursor.revision)
    }

    /// - Parameter name: the key, or what the schema or the rule is for.
    /// - Throws: `notFound`, `invalidKey`.
    package func entry(_ name: String, _ kind: EntryKind = .value) async throws(ConfigError) -> EntryMessage {
        let name = try Self.checked(name, kind)
        return try await read(.entry(kind), named: name) { (json) throws(ConfigError) in
            try EntryMessage(json: json, kind)
        }
    }

    /// What happened, to one entry or to all, before a revision; newest first.
    ///
    /// - Parameters:
    ///   - key: a key, or that of a schema or a rule, as in `EntryKind`.
    ///   - limit: how many records at most; the server may give fewer and say where to go on.
    package func history(
        of key: String? = nil,
        before: UInt64? = nil,
        limit: Int? = nil
    ) async throws(ConfigError) -> HistoryMessage {
        let entry = key.map(EntryKind.named)
        func name(of kind: EntryKind) -> String? { entry.flatMap { $0.kind == kind ? $0.name : nil } }
        let query: KeyValuePairs<WireParameter, String?> = [
            .historyKey: name(of: .value), .historySchema: name(of: .schema), .historyRule: name(of: .rule),
            .before: before.map { "\($0)" }, .limit: limit.map { "\($0)" },
        ]
        return try await read(.history, query: query, HistoryMessage.init(json:))
    }
}

// Several servers on one store.
extension ServerClient {
    package func remember(_ cursor: Cursor) { seen.remember(cursor) }

    package var latestSeen: Cursor? { seen.latest }

    /// Whether an answer said that nothing was ever written to the namespace.
    package var hasFoundNothing: Bool { seen.hasFoundNothing }

    private func note(revision: UInt64) {
        if revision == 0 { seen.noteNothing() }
    }
}

/// The latest that has been seen of a server's history.
private final class SeenRevision: Sendable {
    private let cursor = Mutex<Cursor?>(nil)
    private let nothing = Mutex(false)

    var latest: Cursor? { cursor.withLock(\.self) }
    var hasFoundNothing: Bool { nothing.withLock(\.self) }

    func noteNothing() { nothing.withLock { $0 = true } }

    func remember(_ cursor: Cursor) {
        self.cursor.withLock { latest in
            // Another epoch is another history, which counts from then on.
            let isLater = latest.map { $0.epoch != cursor.epoch || $0.revision < cursor.revision } ?? true
            if isLater { latest = cursor }
        }
    }
}

// Writing: `conflict` where a condition does not hold, `rejected` and `tooLarge` where the server finds fault.
extension ServerClient {
    /// What must be so for one entry to be written.
    package enum Condition: Hashable, Sendable {
        case isNew
        /// The entry is of the revision that the cursor names.
        case isAt(Cursor)

        fileprivate var field: (name: String, value: String) {
            switch self {
            case .isNew: ("If-None-Match", "*")
            case .isAt(let cursor): ("If-Match", "\"\(cursor)\"")
            }
        }
    }

    /// Changes several entries: all of it as one revision, or nothing.
    package func publish(_ request: PublishRequest) async throws(ConfigError) -> PublishReceipt {
        try decode(try await write(.patchEntries, request.json), PublishReceipt.init(json:))
    }

    /// - Returns: the entry as it is now.
    package func put(
        _ request: EntryRequest,
        forKey key: String,
        if condition: Condition
    ) async throws(ConfigError) -> EntryMessage {
        let name = try Self.checked(key, request.kind)
        let body = try await write(.put(request.kind), named: name, request.json, if: condition)
        return try decode(body) { (json) throws(ConfigError) in try EntryMessage(json: json, request.kind) }
    }

    package func delete(_ key: String, if condition: Condition) async throws(ConfigError) {
        _ = try await write(.deleteEntry, named: try Self.checked(key, .value), nil, if: condition)
    }

    package func rollback(_ request: RollbackRequest) async throws(ConfigError) -> PublishReceipt {
        // What is written is as large as the namespace was, which is not known here.
        let body = try await write(.rollback, request.json, size: 8 * 1024 * 1024)
        return try decode(body, PublishReceipt.init(json:))
    }
}

// Requests.
extension ServerClient {
    /// For what the namespace holds, now or at a revision, or for what has changed since a cursor.
    func configurationRequest(
        after cursor: Cursor?,
        at revision: UInt64? = nil,
        seen: Cursor?,
        withSchemas: Bool = false
    ) -> HTTPRequest {
        let query: KeyValuePairs<WireParameter, String?> = [
            .epoch: cursor.map { $0.epoch.description }, .after: cursor.map { String($0.revision) },
            .at: revision.map { String($0) }, .schemas: withSchemas ? "true" : nil,
        ]
        return request(.config, query: query, seen: seen)
    }

    func request(
        _ route: WireRoute,
        named name: String? = nil,
        query: KeyValuePairs<WireParameter, String?> = [:],
        seen: Cursor?
    ) -> HTTPRequest {
        var request = HTTPRequest(
            url: address.url(route, name, query: query),
            method: route.method,
            headers: ["Accept": "application/json"],
            timeouts: timeouts
        )
        request.headers[Cursor.fieldName] = seen?.description
        request.allowedSize = AnnouncedSize.stated(in:)
        return request
    }

    private static func checked(_ name: String, _ kind: EntryKind) throws(ConfigError) -> String {
        if let problem = kind.problem(inName: name) { throw ConfigError(.invalidKey, "the key \(problem)") }
        return name
    }
}

// Answers.
extension ServerClient {
    private func read<Message>(
        _ route: WireRoute,
        named name: String? = nil,
        query: KeyValuePairs<WireParameter, String?> = [:],
        _ parse: ([UInt8]) throws(ConfigError) -> Message
    ) async throws(ConfigError) -> Message {
        try await read(request(route, named: name, query: query, seen: latestSeen), parse)
    }

    private func read<Message>(
        _ request: HTTPRequest,
        _ parse: ([UInt8]) throws(ConfigError) -> Message
    ) async throws(ConfigError) -> Message {
        let response = try await response(to: request)
        try response.head.check(isOf: "application/json")
        return try decode(response.body, parse)
    }

    private func write(
        _ route: WireRoute,
        named name: String? = nil,
        _ body: [UInt8]?,
        if condition: Condition? = nil,
        size: Int? = nil
    ) async throws(ConfigError) -> [UInt8] {
        var request = request(route, named: name, seen: latestSeen)
        request.body = body
        if let (name, value) = condition?.field { request.headers[name] = value }
        if body != nil { request.headers["Content-Type"] = "application/json" }
        request.timeouts = timeouts.writing(size ?? body?.count ?? 0)
        do throws(ConfigError) {
            return try await response(to: request).body
        } catch {
            throw Self.uncertain(error)
        }
    }

    /// The error of a write, which may have been done where the answer to it is missing.
    private static func uncertain(_ error: ConfigError) -> ConfigError {
        let cause = error.underlying as? CurlError
        guard error.code == .unreachable, cause?.isBeforeRequest != true else { return error }
        var uncertain = error
        uncertain.message += "; it is unknown whether this was written, so check before you write it again"
        return uncertain
    }

    private func response(to request: HTTPRequest) async throws(ConfigError) -> HTTPResponse {
        let response = try await transport.response(to: request)
        if let problem = response.head.problem(body: response.body) { throw problem }
        if let cursor = response.head.headers[Cursor.fieldName].flatMap(Cursor.init) { remember(cursor) }
        return response
    }

    private func decode<Message>(
        _ body: [UInt8],
        _ parse: ([UInt8]) throws(ConfigError) -> Message
    ) throws(ConfigError) -> Message {
        do throws(ConfigError) {
            return try parse(body)
        } catch {
            throw notOurs("\(error)")
        }
    }

    private func notOurs(_ reason: String) -> ConfigError {
        ConfigError(
            .badResponse,
            "\(address.host) does not answer as a Livery server does (\(reason)); check the address"
        )
    }
}
