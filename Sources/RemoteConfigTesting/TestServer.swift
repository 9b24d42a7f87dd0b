// SPDX-License-Identifier: Apache-2.0

internal import ConfigClient
internal import ConfigWire

#if Server
    public import ConfigModel
    internal import ConfigHub
    internal import ConfigServer
    internal import ConfigStore
    internal import ConfigStoreTesting
    public import Essentials
    internal import Logging
    public import RemoteConfig
    internal import ServiceLifecycle
    internal import Synchronization

    /// A Livery server in this process, on a free port that only this machine can reach, with its values in memory: for tests
    /// that want the real wire. It needs the trait `Server`, which is on by default.
    ///
    /// ```swift
    /// try await withTestServer { server in
    ///     try await server.publish(["app.title": "Hi"])
    ///     let service = RemoteConfigService(source: try ServerSource(url: server.url))
    ///     try await service.running {
    ///         try await server.publish(["app.title": "Hello"])
    ///         for await title in service.state.observe("app.title", as: String.self) where title == "Hello" { break }
    ///     }
    /// }
    /// ```
    ///
    /// A publish returns when the server has it; a client has it a moment later.
    public final class TestServer: Sendable {
        /// The server's address, such as `http://127.0.0.1:34567`.
        public let url: URL
        private let hub: NamespaceHub
        private let access: Access?
        private let running: Task<Void, any Error>

        /// The required token of the server.
        private final class Access: Sendable {
            let policy: AccessPolicy
            let token: Mutex<BearerToken>

            init(_ policy: AccessPolicy, _ token: BearerToken) {
                self.policy = policy
                self.token = Mutex(token)
            }
        }

        /// Starts a server, which accepts connections when this returns.
        ///
        /// - Parameter requiresToken: whether clients have to show ``token``.
        public static func start(requiresToken: Bool = false) async throws -> TestServer {
            try await TestServer(issuing: requiresToken ? try TokenTable.issue() : nil)
        }

        private init(issuing issued: (token: BearerToken, table: TokenTable)?) async throws {
            let logger = Logger(label: "livery.test-server") { _ in SwiftLogNoOpLogHandler() }
            let policy = AccessPolicy(tokens: issued?.table)
            var settings = ServerSettings()
            settings.address.port = 0
            let (ports, port) = AsyncStream.makeStream(of: Int.self)
            let application = try ServerApplication(
                store: ReferenceStore(),
                policy: policy,
                settings: settings,
                logger: logger
            ) { port.yield($0.port) }
            let hub = application.hub
            let running = Task {
                defer { port.finish() }
                try await ServiceGroup(configuration: .init(services: [application], logger: logger)).run()
            }
            guard let number = await ports.first(where: { _ in true }),
                await hub.wait(atMost: .seconds(60), for: { $0.head }) != nil,
                let url = URL(string: "http://127.0.0.1:\(number)")
            else {
                running.cancel()
                try await running.value
                throw ConfigError(.unavailable, "the server is not running")
            }
            (self.url, self.hub, self.running) = (url, hub, running)
            access = issued.map { Access(policy, $0.token) }
        }

        deinit { running.cancel() }

        /// The required token; `nil` if none is required.
        public var token: BearerToken? { access?.token.withLock(\.self) }

        /// The token as of now for each request of a client; none if the server requires none.
        public var tokens: TokenProvider { token.map { .fixed($0) } ?? .anonymous }

        /// Requires another token from now on: requests with the old one receive 401, and its streams end.
        ///
        /// - Throws: `rejected` if the server was started without tokens.
        public func replaceToken() async throws(ConfigError) {
            guard let access else {
                throw ConfigError(.rejected, "the server requires no token; start it with requiresToken: true")
            }
            let (token, table) = try TokenTable.issue()
            access.token.withLock { $0 = token }
            _ = try await access.policy.replace(with: table)
        }

        /// Publishes values, all at once: one revision.
        ///
        /// - Parameters:
        ///   - values: the new values of keys; `nil` removes a key. Other keys stay as they are.
        ///   - namespace: whose values.
        /// - Throws: `invalidKey`, or `rejected` if the server does not take them.
        public func publish(
            _ values: [String: EntryValue?],
            in namespace: String = "default"
        ) async throws(ConfigError) {
            for key in values.keys.sorted() {
                guard let problem = KeyRule.problem(in: key) else { continue }
                throw ConfigError(.invalidKey, "the key \(problem)", source: url.absoluteString, key: key)
            }
            do throws(StoreError) {
                _ = try await hub.publish(Publish(namespace: namespace, change: .edit(values)))
            } catch {
                throw ConfigError(.rejected, "\(error)", source: url.absoluteString, underlying: error)
            }
        }

        /// Ends the server and its connections.
        public func stop() async {
            running.cancel()
            _ = await running.result
        }
    }

    /// Runs a server for as long as the body takes.
    ///
    /// - Parameters:
    ///   - requiresToken: whether clients have to show the server's token.
    ///   - body: uses the server.
    public func withTestServer<Outcome>(
        requiresToken: Bool = false,
        _ body: (TestServer) async throws -> Outcome
    ) async throws -> Outcome {
        let server = try await TestServer.start(requiresToken: requiresToken)
        let outcome: Outcome
        do {
            outcome = try await body(server)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
        return outcome
    }

    extension TokenTable {
        /// A new token, and the table that knows it alone.
        fileprivate static func issue() throws(ConfigError) -> (token: BearerToken, table: TokenTable) {
            let (text, token) = AccessToken.random(name: "test", role: .admin, namespaces: nil)
            return (try BearerToken(text), try TokenTable(file: token.json, named: "test"))
        }
    }
#endif
