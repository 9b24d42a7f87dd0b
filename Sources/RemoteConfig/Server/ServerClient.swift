package import ConfigModel
internal import Foundation
package import HTTPTransport
internal import Synchronization

/// A client of the routes of a Livery server that people and scripts use, one call a request.
///
/// Programs that follow a configuration use a source instead, which keeps a connection and a cache. All calls throw
/// `unreachable`, `unavailable`, `unauthorized`, `forbidden`, `rateLimited` and `badResponse`, with the server's own words
/// where it gives any.
///
/// A client remembers what it has seen, and accepts nothing older from whichever of several servers on one store it reaches.
package struct ServerClient: Sendable {
    /// The server and the namespace.
    package var address: ServerAddress { requests.address }
    let transport: any Transport
    private let requests: ServerRequests
    private let timeouts: HTTPTimeouts
    private let seen = SeenRevision()

    /// Creates a client, which costs nothing before the first request.
    package init(
        address: ServerAddress,
        tokens: TokenProvider = .fixed(nil),
        transport: any Transport,
        timeouts: HTTPTimeouts = .document
    ) {
        requests = ServerRequests(address: address, tokens: tokens)
        self.transport = transport
        self.timeouts = timeouts
    }

    /// What the server is and has.
    package func info() async throws(ConfigError) -> ServerInfo {
        try await read(address.info) { (json) throws(ConfigError) in try ServerInfo(json: json) }
    }

    /// All values of the namespace, as they are at one moment.
    package func snapshot() async throws(ConfigError) -> ServerSnapshot {
        let answer = try await configuration(after: nil)
        guard case .snapshot(let snapshot, _) = answer else { throw notOurs("it gave changes for a state") }
        remember(snapshot.cursor)
        return snapshot
    }

    /// What has changed since a moment; the whole state where the server does not know it any more.
    package func changes(since cursor: Cursor) async throws(ConfigError) -> ConfigAnswer {
        try await configuration(after: cursor)
    }

    private func configuration(after cursor: Cursor?) async throws(ConfigError) -> ConfigAnswer {
        let request = try requests.configuration(after: cursor, seen: seen.latest)
        return try await read(request) { (json) throws(ConfigError) in try ConfigAnswer(json: json) }
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
    package func remember(_ cursor: Cursor) { seen.remember(cursor) }

    /// The latest that has been seen of the server's history.
    var latestSeen: Cursor? { seen.latest }

    /// Give the tokens for requests.
    var tokens: TokenProvider { requests.tokens }
}

/// The latest that has been seen of a server's history.
private final class SeenRevision: Sendable {
    private let cursor = Mutex<Cursor?>(nil)

    var latest: Cursor? { cursor.withLock(\.self) }

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
        if let problem = KeyRule.problem(in: key) { throw ConfigError(.invalidKey, "the key \(problem)") }
        return address.url("entries/\(key)")
    }

    private func read<Message>(
        _ url: URL,
        _ parse: ([UInt8]) throws(ConfigError) -> Message
    ) async throws(ConfigError) -> Message {
        try await read(try requests.request(url, seen: seen.latest), parse)
    }

    private func read<Message>(
        _ request: HTTPRequest,
        _ parse: ([UInt8]) throws(ConfigError) -> Message
    ) async throws(ConfigError) -> Message {
        var request = request
        request.timeouts = timeouts
        let response = try await response(to: request)
        try response.head.check(isOf: "application/json")
        return try decode(response.body, parse)
    }

    private func write(
        _ method: String,
        _ url: URL,
        _ body: [UInt8]?,
        _ conditions: HTTPHeaders = [:],
        size: Int? = nil
    ) async throws(ConfigError) -> [UInt8] {
        var request = try requests.request(url, seen: seen.latest)
        (request.method, request.body) = (method, body)
        for (name, value) in conditions.fields { request.headers[name] = value }
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
        if let cursor = response.headers[Cursor.fieldName].flatMap(Cursor.init) { remember(cursor) }
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
