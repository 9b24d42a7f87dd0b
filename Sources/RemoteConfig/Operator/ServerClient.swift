package import ConfigModel
internal import Foundation
internal import Synchronization

/// A client of the routes of a Livery server that people and scripts use, one call a request.
///
/// Programs that follow a configuration use a source instead, which keeps a connection and a cache. All calls throw
/// `unreachable`, `unavailable`, `unauthorized`, `forbidden`, `rateLimited` and `badResponse`, with what the server says
/// is wrong where it says something.
///
/// A client remembers what it has seen, and whichever of several servers on one store it reaches tells it nothing older.
package struct ServerClient: Sendable {
    /// The server and the namespace.
    package let address: ServerAddress
    private let tokens: TokenProvider
    private let transport: any HTTPTransport
    private let timeouts: HTTPTimeouts
    private let seen = SeenRevision()

    /// Creates a client, which costs nothing before the first request.
    package init(
        address: ServerAddress,
        tokens: TokenProvider = .fixed(nil),
        transport: any HTTPTransport,
        timeouts: HTTPTimeouts = .document
    ) {
        self.address = address
        self.tokens = tokens
        self.transport = transport
        self.timeouts = timeouts
    }

    /// What the server is and has.
    package func info() async throws(ConfigError) -> ServerInfo {
        try await read(address.info) { (json) throws(ConfigError) in try ServerInfo(json: json) }
    }

    /// All values of the namespace, as they are at one moment.
    package func snapshot() async throws(ConfigError) -> ServerSnapshot {
        let answer = try await read(address.url("config")) { (json) throws(ConfigError) in
            try ConfigAnswer(json: json)
        }
        guard case .snapshot(let snapshot, _) = answer else { throw notOurs("it gave changes for a state") }
        note(snapshot.cursor)
        return snapshot
    }

    /// What has changed since a moment; the whole state where the server does not know it any more.
    package func changes(since cursor: Cursor) async throws(ConfigError) -> ConfigAnswer {
        let url = address.url("config", query: ["epoch": "\(cursor.epoch)", "after": "\(cursor.revision)"])
        return try await read(url) { (json) throws(ConfigError) in try ConfigAnswer(json: json) }
    }

    /// All entries of the namespace, by key.
    package func entries() async throws(ConfigError) -> [EntryMessage] {
        let entries = try await read(address.url("entries")) { (json) throws(ConfigError) in
            try EntryMessage.list(json: json)
        }
        return entries.sorted { $0.key < $1.key }
    }

    /// One entry.
    ///
    /// - Throws: `notFound`, `invalidKey`.
    package func entry(_ key: String) async throws(ConfigError) -> EntryMessage {
        try await read(try entryURL(key)) { (json) throws(ConfigError) in try EntryMessage(json: json) }
    }

    /// What happened, newest first.
    ///
    /// - Parameters:
    ///   - key: only to this key, unless `nil`.
    ///   - before: only revisions lower than this one.
    ///   - limit: how many records at most; the server may give fewer and say where to go on.
    package func history(
        of key: String? = nil,
        before: UInt64? = nil,
        limit: Int? = nil
    ) async throws(ConfigError) -> HistoryMessage {
        let url = address.url(
            "history",
            query: ["key": key, "before": before.map { "\($0)" }, "limit": limit.map { "\($0)" }]
        )
        return try await read(url) { (json) throws(ConfigError) in try HistoryMessage(json: json) }
    }
}

// Several servers on one store.
extension ServerClient {
    /// Remembers what has been seen of the server's history.
    package func note(_ cursor: Cursor) { seen.note(cursor) }
}

/// The latest that has been seen of a server's history.
private final class SeenRevision: Sendable {
    private let cursor = Mutex<Cursor?>(nil)

    var latest: Cursor? { cursor.withLock(\.self) }

    func note(_ cursor: Cursor) {
        self.cursor.withLock { latest in
            // Whoever answers with another epoch speaks of another history, and that counts from then on.
            let isLater = latest.map { $0.epoch != cursor.epoch || $0.revision < cursor.revision } ?? true
            if isLater { latest = cursor }
        }
    }
}

// Following.
extension ServerClient {
    /// The namespace for a service to follow, by the same right, and not from before what has been seen.
    package func source() throws(ConfigError) -> ServerSource {
        try ServerSource(
            url: address.base,
            namespace: address.namespace,
            tokens: tokens,
            seen: seen.latest,
            transport: transport
        )
    }
}

// Writing: `conflict` where a condition does not hold, `rejected` and `tooLarge` where the server finds fault.
extension ServerClient {
    /// What must be so for one entry to be written.
    package enum Condition: Hashable, Sendable {
        /// There is no such entry.
        case isNew
        /// The entry is of the revision that the cursor names.
        case isAt(Cursor)

        fileprivate var headers: HTTPHeaders {
            switch self {
            case .isNew: ["If-None-Match": "*"]
            case .isAt(let cursor): ["If-Match": "\"\(cursor)\""]
            }
        }
    }

    /// Changes several entries: all of it as one revision, or nothing.
    package func publish(_ request: PublishRequest) async throws(ConfigError) -> PublishReceipt {
        let body = try await write("PATCH", address.url("entries"), request.json)
        return try decode(body) { (json) throws(ConfigError) in try PublishReceipt(json: json) }
    }

    /// Writes one entry if it is as it must be.
    ///
    /// - Returns: the entry as it is now.
    package func put(
        _ request: ValueRequest,
        forKey key: String,
        if condition: Condition
    ) async throws(ConfigError) -> EntryMessage {
        let body = try await write("PUT", try entryURL(key), request.json, condition.headers)
        return try decode(body) { (json) throws(ConfigError) in try EntryMessage(json: json) }
    }

    /// Removes one entry if it is as it must be.
    package func delete(_ key: String, if condition: Condition) async throws(ConfigError) {
        _ = try await write("DELETE", try entryURL(key), nil, condition.headers)
    }

    /// Makes a new revision that equals an old one.
    package func rollback(_ request: RollbackRequest) async throws(ConfigError) -> PublishReceipt {
        // What is written is as large as the namespace was, which is not known here.
        let body = try await write("POST", address.url("rollback"), request.json, size: 8 * 1024 * 1024)
        return try decode(body) { (json) throws(ConfigError) in try PublishReceipt(json: json) }
    }
}

extension ServerClient {
    private func entryURL(_ key: String) throws(ConfigError) -> URL {
        if let problem = ConfigKey.problem(in: key) { throw ConfigError(.invalidKey, "the key \(problem)") }
        return address.url("entries/\(key)")
    }

    private func read<Message>(
        _ url: URL,
        _ parse: ([UInt8]) throws(ConfigError) -> Message
    ) async throws(ConfigError) -> Message {
        let headers: HTTPHeaders = ["Accept": "application/json"]
        return try decode(try await body(of: HTTPRequest(url: url, headers: headers, timeouts: timeouts)), parse)
    }

    private func write(
        _ method: String,
        _ url: URL,
        _ body: [UInt8]?,
        _ conditions: HTTPHeaders = [:],
        size: Int? = nil
    ) async throws(ConfigError) -> [UInt8] {
        var headers = conditions
        headers["Accept"] = "application/json"
        if body != nil { headers["Content-Type"] = "application/json" }
        let timeouts = timeouts.writing(size ?? body?.count ?? 0)
        let request = HTTPRequest(url: url, method: method, headers: headers, body: body, timeouts: timeouts)
        do throws(ConfigError) {
            return try await self.body(of: request)
        } catch {
            throw ServerFault.ofWrite(error)
        }
    }

    private func body(of request: HTTPRequest) async throws(ConfigError) -> [UInt8] {
        var request = request
        request.token = try tokens.token()
        request.takesAnnouncedSize = true
        request.headers[Cursor.fieldName] = seen.latest?.description
        let response = try await reach { () async throws(ConfigError) in try await transport.response(to: request) }
        if let fault = ServerFault.error(of: response.head, body: response.body, from: address.host) { throw fault }
        if let cursor = response.headers[Cursor.fieldName].flatMap(Cursor.init) { note(cursor) }
        return response.body
    }

    /// Says what an operator can do where nothing answers.
    private func reach<Answer>(
        _ work: () async throws(ConfigError) -> Answer
    ) async throws(ConfigError) -> Answer {
        do throws(ConfigError) {
            return try await work()
        } catch {
            throw ServerFault.explained(error, host: address.host)
        }
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
