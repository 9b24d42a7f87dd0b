// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import ConfigWire
package import HTTPTransport
internal import Synchronization

/// A client of a Livery server for programs that administer it: each call is one request.
///
/// ```swift
/// let client = try ServerClient("https://config.example.org", namespace: "shop")
/// let now = try await client.snapshot()
/// let change = PublishRequest(set: ["app.limit": 20], expect: now.cursor.revision, message: "Monday")
/// let receipt = try await client.publish(change)
/// print("revision \(receipt.cursor.revision)")
/// ```
///
/// Programs that follow a configuration use a `ServerSource`, with a connection and a cache.
///
/// All calls throw a `ConfigError` with one of these codes, with the server's own words where it gives any:
///
/// | code | cause |
/// |---|---|
/// | `unreachable`, `unavailable` | no connection, or the server cannot answer now; after a write, its message states whether it may have been applied |
/// | `unauthorized`, `forbidden` | no valid token, or a token without the right |
/// | `rateLimited` | too many requests; `retryAfter` has the pause |
/// | `badResponse` | the answer is not that of a Livery server |
/// | `insecure` | a token would go without encryption to a host that is not in `insecureHosts` |
///
/// A client remembers the latest revision that it has seen, and accepts nothing older from whichever of several servers on
/// one store it reaches.
public struct ServerClient: Sendable {
    /// The server and the namespace.
    package let address: ServerAddress
    let transport: AuthorizedTransport
    private let timeouts: HTTPTimeouts
    /// The maximum size of an answer with many entries, in bytes, unless the server announces a larger one.
    private let maximumEntries: Int
    private let seen = SeenRevision()
    /// The reason for changes without a review, by an administrator where the policy allows them; none by default.
    package var emergency: String?

    /// Creates a client; nothing is connected to yet.
    ///
    /// - Parameters:
    ///   - address: the server's address, such as `http://127.0.0.1:3000`, or that of one of its namespaces, such as
    ///     `http://127.0.0.1:3000/v1/shop`.
    ///   - namespace: the namespace; `nil` for the one that the address names, else `default`.
    ///   - tokens: the token for each request; none by default.
    ///   - insecureHosts: the hosts, besides this machine, that may receive the token without encryption.
    ///   - options: the trusted certificates, and the proxy.
    /// - Throws: `invalidSource` for anything but a scheme of `http` or `https`, a host, and perhaps a port and a path; also for
    ///   a namespace that has no such name.
    public init(
        _ address: String,
        namespace: String? = nil,
        tokens: TokenProvider = .anonymous,
        insecureHosts: Set<String> = [],
        options: TransportOptions = .standard
    ) throws(ConfigError) {
        let address = try ServerAddress(address, namespace: namespace)
        self.init(address: address, tokens: tokens, insecureHosts: insecureHosts, options: options, patience: nil)
    }

    package init(
        address: ServerAddress,
        tokens: TokenProvider = .anonymous,
        insecureHosts: Set<String> = [],
        options: TransportOptions = .standard
    ) {
        self.init(address: address, tokens: tokens, insecureHosts: insecureHosts, options: options, patience: nil)
    }

    /// - Parameter patience: how long an answer may take in all; `nil` for the usual limits.
    package init(
        address: ServerAddress,
        tokens: TokenProvider,
        insecureHosts: Set<String>,
        options: TransportOptions,
        patience: Duration?
    ) {
        self.init(
            address: address,
            tokens: tokens,
            transport: HTTPClient(allowInsecureHosts: insecureHosts, settings: options.settings),
            timeouts: patience.map { HTTPTimeouts(answer: $0, idle: $0, total: $0) } ?? .document,
            // Room for the entries of a large namespace with their times.
            maximumEntries: 256 * 1024 * 1024
        )
    }

    package init(
        address: ServerAddress,
        tokens: TokenProvider = .anonymous,
        transport: HTTPClient,
        timeouts: HTTPTimeouts = .document,
        maximumEntries: Int = 0
    ) {
        (self.address, self.timeouts, self.maximumEntries) = (address, timeouts, maximumEntries)
        self.transport = AuthorizedTransport(transport: transport, tokens: tokens)
    }

    /// The server's version and head revision, and the namespaces that the token may read.
    public func info() async throws(ConfigError) -> ServerInfo {
        try await read(.server, ServerInfo.init(json:))
    }

    /// The values and the rules of the namespace at one moment; the rules have the keys that `EntryKind.rule` gives them.
    ///
    /// - Parameters:
    ///   - revision: the moment; now if `nil`.
    ///   - withSchemas: whether with the schemas of the same moment.
    /// - Throws: `notFound` if the history does not reach back to the revision.
    public func snapshot(
        at revision: UInt64? = nil,
        withSchemas: Bool = false
    ) async throws(ConfigError) -> ServerSnapshot {
        if revision != nil { try requireNamespace() }
        let request = configurationRequest(after: nil, at: revision, seen: latestSeen, withSchemas: withSchemas)
        let answer = try await read(request, ConfigAnswer.init(json:))
        guard case .snapshot(let snapshot, _) = answer, revision == nil || revision == snapshot.cursor.revision else {
            throw notOurs("unexpected state of the namespace")
        }
        remember(snapshot.cursor)
        if revision == nil { note(revision: snapshot.cursor.revision) }
        return snapshot
    }

    /// The changes since a cursor, or the whole state if the server no longer has those changes.
    ///
    /// - Parameter withSchemas: whether to include the changes of schemas.
    package func changes(since cursor: RevisionCursor, withSchemas: Bool = false) async throws(ConfigError)
        -> ConfigAnswer
    {
        let request = configurationRequest(after: cursor, seen: latestSeen, withSchemas: withSchemas)
        return try await read(request, ConfigAnswer.init(json:))
    }

    /// The entries of a kind (values, schemas or rules), sorted by their names, and the revision of the namespace.
    public func entries(
        _ kind: EntryKind = .value
    ) async throws(ConfigError) -> (entries: [EntryMessage], revision: UInt64) {
        let list = try await read(.list(kind), hasMany: true) { (json) throws(ConfigError) in
            try EntryList(json: json, kind)
        }
        note(revision: list.cursor.revision)
        return (list.entries.sorted { $0.key < $1.key }, list.cursor.revision)
    }

    /// One entry with its revision and its times.
    ///
    /// - Parameters:
    ///   - name: the key, the key or pattern of the schema, or the key of the rule.
    ///   - kind: whether it is a value, a schema or a rule.
    /// - Throws: `notFound`, `invalidKey`.
    public func entry(_ name: String, _ kind: EntryKind = .value) async throws(ConfigError) -> EntryMessage {
        let name = try Self.checked(name, kind)
        return try await read(.entry(kind), named: name) { (json) throws(ConfigError) in
            try EntryMessage(json: json, kind)
        }
    }

    /// The entity tag of an entry that was read, without quotes; `nil` if the server did not send its epoch.
    package func tag(of entry: EntryMessage) -> String? {
        latestSeen.map { entry.tag(in: $0.epoch) }
    }

    /// The schemas of the namespace by their names.
    package func schemas() async throws(ConfigError) -> [String: EntryValue] {
        Dictionary(try await entries(.schema).entries.map { ($0.key, $0.value) }) { $1 }
    }

    /// Returns what a request reads; `nil` if the server does not find it.
    package static func found<Answer>(
        _ request: @autoclosure () async throws(ConfigError) -> Answer
    ) async throws(ConfigError) -> Answer? {
        do throws(ConfigError) {
            return try await request()
        } catch {
            if error.code == .notFound { return nil }
            throw error
        }
    }

    /// The changes of one entry or of all, newest first.
    ///
    /// - Parameters:
    ///   - key: a key, or that of a schema or a rule (`EntryKind.key(of:)`); `nil` for all.
    ///   - before: only revisions lower than this one, such as the `next` of the previous page.
    ///   - limit: the maximum number of records; the server may return fewer, and then sets `next`.
    /// - Returns: the records, and the value of `before` for the next page; `nil` at the end.
    public func history(
        of key: String? = nil,
        before: UInt64? = nil,
        limit: Int? = nil
    ) async throws(ConfigError) -> (records: [HistoryRecord], next: UInt64?) {
        let page = try await historyPage(of: key, before: before, limit: limit)
        return (page.records, page.next)
    }

    package func historyPage(
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
        return try await read(.history, query: query, hasMany: true, HistoryMessage.init(json:))
    }
}

// Several servers on one store.
extension ServerClient {
    package func remember(_ cursor: RevisionCursor) { seen.remember(cursor) }

    package var latestSeen: RevisionCursor? { seen.latest }

    /// Whether a response reported that the namespace has never been written to.
    package var wasNotFound: Bool { seen.wasNotFound }

    private func note(revision: UInt64) {
        if revision == 0 { seen.recordNotFound() }
    }
}

/// The latest that has been seen of a server's history.
private final class SeenRevision: Sendable {
    private let cursor = Mutex<RevisionCursor?>(nil)
    private let nothing = Mutex(false)

    var latest: RevisionCursor? { cursor.withLock(\.self) }
    var wasNotFound: Bool { nothing.withLock(\.self) }

    func recordNotFound() { nothing.withLock { $0 = true } }

    func remember(_ cursor: RevisionCursor) {
        self.cursor.withLock { latest in
            // Another epoch is another history, which counts from then on.
            let isLater = latest.map { $0.epoch != cursor.epoch || $0.revision < cursor.revision } ?? true
            if isLater { latest = cursor }
        }
    }
}

// Writing.
extension ServerClient {
    /// The condition of a write of one entry.
    package enum Condition: Hashable, Sendable {
        /// The entry does not exist.
        case isNew
        /// The entry is of the revision that the cursor names.
        case isAt(RevisionCursor)
        /// The entry has this entity tag, without quotes: the revision and the value.
        case matches(tag: String)

        fileprivate var field: (name: String, value: String) {
            switch self {
            case .isNew: ("If-None-Match", "*")
            case .isAt(let cursor): ("If-Match", "\"\(cursor)\"")
            case .matches(let tag): ("If-Match", "\"\(tag)\"")
            }
        }
    }

    /// Sets and removes values, schemas and rules: all of it as one revision, or nothing.
    ///
    /// - Throws: `conflict` if the namespace is not at the expected revision, `rejected` with `violations` if values violate
    ///   their schemas or rules have errors, `tooLarge`.
    public func publish(_ request: PublishRequest) async throws(ConfigError) -> PublishReceipt {
        try decode(try await write(.patchEntries, request.json), PublishReceipt.init(json:))
    }

    /// Writes one entry.
    ///
    /// - Parameters:
    ///   - value: the value, the schema or the rule.
    ///   - kind: the kind of the entry.
    ///   - key: the key, the key or pattern of the schema, or the key of the rule.
    ///   - cursor: the position of the current entry, such as ``info()``'s `head` with the entry's revision; the entry must not
    ///     have changed since. `nil` if there must be none.
    ///   - message: the reason, for the history.
    /// - Returns: the entry as it is now.
    /// - Throws: `conflict` if the entry is another one, and as ``publish(_:)``.
    public func put(
        _ value: EntryValue,
        _ kind: EntryKind = .value,
        forKey key: String,
        replacing cursor: RevisionCursor?,
        message: String? = nil
    ) async throws(ConfigError) -> EntryMessage {
        let request = EntryRequest(kind, value: value, message: message)
        return try await put(request, forKey: key, if: cursor.map(Condition.isAt) ?? .isNew)
    }

    package func put(
        _ request: EntryRequest,
        forKey key: String,
        if condition: Condition
    ) async throws(ConfigError) -> EntryMessage {
        let name = try Self.checked(key, request.kind)
        let body = try await write(.put(request.kind), named: name, request.json, if: condition)
        return try decode(body) { (json) throws(ConfigError) in try EntryMessage(json: json, request.kind) }
    }

    /// Removes the value of a key.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - cursor: the position of the current entry, which must not have changed since.
    /// - Throws: `notFound`, and `conflict` if the entry is another one.
    public func delete(_ key: String, replacing cursor: RevisionCursor) async throws(ConfigError) {
        try await delete(key, if: .isAt(cursor))
    }

    package func delete(_ key: String, if condition: Condition) async throws(ConfigError) {
        _ = try await write(.deleteEntry, named: try Self.checked(key, .value), nil, if: condition)
    }

    /// Restores the namespace with its schemas and rules to a revision, as a new revision; the token must have the role
    /// `admin`.
    ///
    /// - Parameters:
    ///   - revision: the revision whose state is restored.
    ///   - expected: the revision that the namespace must be at; any if `nil`.
    ///   - message: the reason, for the history.
    /// - Throws: `notFound` if the history does not reach back to the revision, `conflict` if the namespace is not at the
    ///   expected one.
    public func rollback(
        to revision: UInt64,
        expect expected: UInt64? = nil,
        message: String? = nil
    ) async throws(ConfigError) -> PublishReceipt {
        try await rollback(RollbackRequest(to: revision, expect: expected, message: message))
    }

    package func rollback(_ request: RollbackRequest) async throws(ConfigError) -> PublishReceipt {
        // The rollback writes as much as the namespace contained at that revision; that size is not known here.
        let body = try await write(.rollback, request.json, size: 8 * 1024 * 1024)
        return try decode(body, PublishReceipt.init(json:))
    }
}

// Requests.
extension ServerClient {
    /// The request for the contents of a namespace, now or at a revision, or for the changes since a cursor.
    func configurationRequest(
        after cursor: RevisionCursor?,
        at revision: UInt64? = nil,
        seen: RevisionCursor?,
        withSchemas: Bool = false
    ) -> HTTPRequest {
        let query: KeyValuePairs<WireParameter, String?> = [
            .epoch: cursor.map { $0.epoch.description }, .after: cursor.map { String($0.revision) },
            .at: revision.map { String($0) }, .schemas: withSchemas ? "true" : nil,
        ]
        return request(
            address.draft == nil ? .config : .draftConfig,
            named: address.draft,
            query: query,
            seen: seen,
            hasMany: true
        )
    }

    /// - Throws: `invalidSource` for the preview of a draft, of which only the current contents can be read.
    private func requireNamespace() throws(ConfigError) {
        guard let draft = address.draft else { return }
        let message = """
            a preview has no history and cannot be changed, and its values have no revisions; use the address without \
            '?draft=\(draft)'
            """
        throw ConfigError(.invalidSource, message)
    }

    /// - Parameter hasMany: Whether the answer has many entries, so that it may be larger than others.
    func request(
        _ route: WireRoute,
        named name: String? = nil,
        query: KeyValuePairs<WireParameter, String?> = [:],
        seen: RevisionCursor?,
        hasMany: Bool = false
    ) -> HTTPRequest {
        var request = HTTPRequest(
            url: address.url(route, name, query: query),
            method: route.method,
            headers: ["Accept": "application/json"],
            timeouts: timeouts
        )
        request.headers[RevisionCursor.fieldName] = seen?.description
        if hasMany {
            request.allowedSize = { [maximumEntries] in max(AnnouncedSize.stated(in: $0) ?? 0, maximumEntries) }
        }
        return request
    }

    private static func checked(_ name: String, _ kind: EntryKind) throws(ConfigError) -> String {
        if let problem = kind.problem(inName: name) { throw ConfigError(.invalidKey, "the key \(problem)") }
        return name
    }
}

// Answers.
extension ServerClient {
    func read<Message>(
        _ route: WireRoute,
        named name: String? = nil,
        query: KeyValuePairs<WireParameter, String?> = [:],
        hasMany: Bool = false,
        _ parse: ([UInt8]) throws(ConfigError) -> Message
    ) async throws(ConfigError) -> Message {
        if route.path != WireRoute.server.path { try requireNamespace() }
        return try await read(request(route, named: name, query: query, seen: latestSeen, hasMany: hasMany), parse)
    }

    private func read<Message>(
        _ request: HTTPRequest,
        _ parse: ([UInt8]) throws(ConfigError) -> Message
    ) async throws(ConfigError) -> Message {
        let response = try await response(to: request)
        try response.head.check(isOf: "application/json")
        return try decode(response.body, parse)
    }

    func write(
        _ route: WireRoute,
        named name: String? = nil,
        _ body: [UInt8]?,
        if condition: Condition? = nil,
        size: Int? = nil
    ) async throws(ConfigError) -> [UInt8] {
        try requireNamespace()
        var request = request(route, named: name, seen: latestSeen)
        request.body = body
        if let (name, value) = condition?.field { request.headers[name] = value }
        request.headers[WireParameter.emergency.name] = emergency
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
        let cause = error.underlying as? TransportError
        guard error.code == .unreachable, cause?.isBeforeRequest != true else { return error }
        var uncertain = error
        uncertain.message += "; the result of the write is unknown: read the current state before you retry"
        return uncertain
    }

    func response(to request: HTTPRequest) async throws(ConfigError) -> HTTPResponse {
        let response = try await transport.response(to: request)
        if let problem = response.head.problem(body: response.body) { throw problem }
        if let cursor = response.head.headers[RevisionCursor.fieldName].flatMap(RevisionCursor.init) {
            remember(cursor)
        }
        return response
    }

    func decode<Message>(
        _ body: [UInt8],
        _ parse: ([UInt8]) throws(ConfigError) -> Message
    ) throws(ConfigError) -> Message {
        do throws(ConfigError) {
            return try parse(body)
        } catch {
            throw notOurs("\(error)")
        }
    }

    func notOurs(_ reason: String) -> ConfigError {
        ConfigError(
            .badResponse,
            "unexpected response from \(address.host): \(reason); check the address"
        )
    }
}
