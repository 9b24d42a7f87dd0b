// SPDX-License-Identifier: Apache-2.0

#if Etcd
    internal import AsyncHTTPClient
    internal import ConfigModel
    internal import ConfigStore
    internal import NIOCore
    internal import NIOHTTP1
    internal import Synchronization

    /// Sends requests to the members of an etcd cluster through their JSON gateways: one after the other, until one answers.
    ///
    /// Every request can be repeated after its answer was lost: one that changes something names the revision that it
    /// changes, so that it succeeds once at most.
    final class EtcdClient: Sendable {
        /// The members, for messages.
        let place: String
        private let members: [String]
        private let user: String?
        private let password: StorePassword?
        private let http: HTTPClient
        private let state = Mutex(State())
        /// The maximum size of one answer, in bytes: it is in memory as a whole.
        private static let answerBytes = 32 * 1024 * 1024

        private struct State {
            var member = 0
            var token: String?
        }

        /// - Throws: `unavailable` if a certificate cannot be read.
        init(_ address: EtcdAddress, password: StorePassword?) throws(StoreError) {
            let scheme = address.tls.mode == .off ? "http://" : "https://"
            members = address.members.map { scheme + $0.description }
            place = address.members.map(\.description).joined(separator: ",")
            user = address.user
            self.password = password
            var configuration = HTTPClient.Configuration(
                redirectConfiguration: .disallow,
                timeout: .init(connect: .seconds(2)),
                connectionPool: .init(idleTimeout: .seconds(50))
            )
            configuration.connectionPool.retryConnectionEstablishment = false
            configuration.httpVersion = .http1Only
            if address.tls.mode != .off { configuration.tlsConfiguration = try address.tls.configuration() }
            http = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
        }

        // Cancels requests in progress, since nothing waits for them any longer.
        deinit { http.shutdown { _ in } }

        /// The member that receives the requests at present.
        var member: Int { state.withLock(\.member) }

        /// Switches to the next member, unless that has happened already.
        func leave(_ member: Int) {
            state.withLock { if $0.member == member { $0.member = (member + 1) % members.count } }
        }

        /// Sends a transaction.
        func ask(_ request: EtcdRequest, within limit: Duration) async throws(EtcdFailure) -> EtcdAnswer {
            try decoded(try await ask("/v3/kv/txn", request.json, within: limit))
        }

        /// Sends a request to the JSON gateway, until a member answers or the time is over.
        func ask(_ path: String, _ body: [UInt8], within limit: Duration) async throws(EtcdFailure) -> [UInt8] {
            var attempts = EtcdAttempts(limit: limit, members: members.count)
            var isUncertain = false
            while true {
                let (member, patience) = (member, attempts.patience)
                var token: String?
                do throws(EtcdFailure) {
                    token = try await self.token(of: member, within: patience)
                    return try await send(request(path, body, of: member, token: token), within: patience)
                } catch {
                    var failure = error
                    isUncertain = isUncertain || failure.isUncertain
                    failure.isUncertain = isUncertain
                    switch failure.kind {
                    case .unreachable, .untrusted: leave(member)
                    // No token was sent that could have expired.
                    case .tokenExpired where token == nil: failure.kind = .unauthenticated
                    case .tokenExpired: state.withLock { if $0.token == token { $0.token = nil } }
                    default: break
                    }
                    guard let pause = attempts.pause(after: failure.kind), !Task.isCancelled else { throw failure }
                    // A cancelled task ends with the next attempt.
                    try? await Task.sleep(for: pause)
                }
            }
        }

        /// Watches puts under keys from a revision of etcd on, until the member ends the watch, the task is cancelled, or
        /// `onMessage` returns `false`.
        func watch(
            _ range: EtcdRange,
            from revision: Int64,
            at member: Int,
            onMessage: (EtcdWatchMessage) async -> Bool
        ) async throws(EtcdFailure) {
            let json = JSONWriter.object { object in
                object.object("create_request") { object in
                    object.members(of: range)
                    object.quoted("start_revision", revision)
                    object.member("filters") { $0.strings(["NODELETE"]) }
                    object.member("progress_notify") { $0.boolean(true) }
                }
            }
            let token = try await token(of: member, within: .seconds(2))
            let request = request("/v3/watch", json, of: member, token: token)
            do {
                let response = try await http.execute(request, deadline: .distantFuture)
                for try await line in response.body.splitLines() {
                    let message: EtcdWatchMessage = try decoded([UInt8](buffer: line))
                    if message.isCanceled {
                        // The token may have expired; the next watch gets a new one.
                        state.withLock { $0.token = nil }
                        throw EtcdFailure(kind: .unreachable, reason: message.reason)
                    }
                    guard await onMessage(message) else { return }
                }
            } catch {
                throw EtcdFailure(transport: error)
            }
        }

        /// The user's token, which is valid for all members; `nil` if there is no user, or etcd has no users.
        private func token(of member: Int, within patience: Duration) async throws(EtcdFailure) -> String? {
            guard let user else { return nil }
            if let token = state.withLock({ $0.token }) { return token }
            let json = JSONWriter.object { object in
                object.member("name") { $0.string(user) }
                object.member("password") { $0.string(password?.text ?? "") }
            }
            do throws(EtcdFailure) {
                let request = request("/v3/auth/authenticate", json, of: member, token: nil)
                let answer: EtcdToken = try decoded(try await send(request, within: patience))
                state.withLock { $0.token = answer.text }
                return answer.text
            } catch {
                if error.reason.contains("authentication is not enabled") { return nil }
                // The request itself has not been sent.
                throw EtcdFailure(kind: error.kind, reason: error.reason)
            }
        }

        private func request(_ path: String, _ body: [UInt8], of member: Int, token: String?) -> HTTPClientRequest {
            var request = HTTPClientRequest(url: members[member] + path)
            request.method = .POST
            request.headers.add(name: "content-type", value: "application/json")
            if let token { request.headers.add(name: "authorization", value: token) }
            request.body = .bytes(ByteBuffer(bytes: body))
            return request
        }

        private func send(
            _ request: HTTPClientRequest,
            within patience: Duration
        ) async throws(EtcdFailure) -> [UInt8] {
            do {
                let response = try await http.execute(request, timeout: TimeAmount(patience))
                let bytes = [UInt8](buffer: try await response.body.collect(upTo: Self.answerBytes))
                guard response.status == .ok else {
                    throw EtcdFailure(.body(bytes), status: Int(response.status.code))
                }
                return bytes
            } catch {
                throw EtcdFailure(transport: error)
            }
        }

        private func decoded<Record: EtcdRecord>(_ json: [UInt8]) throws(EtcdFailure) -> Record {
            do throws(ConfigError) {
                return try Record(json: json)
            } catch {
                throw EtcdFailure(kind: .unreachable, reason: "not an etcd response: \(error)", isUncertain: true)
            }
        }
    }

    /// The schedule of attempts: each member at once, then all again after a pause.
    struct EtcdAttempts {
        /// The timeout for one member: short, so that the others get their turn, and longer each time, since a slow machine
        /// needs time to answer.
        var patience: Duration { min(longest, max(end - .now, .milliseconds(200))) }
        private var longest = Duration.seconds(2)
        private let end: ContinuousClock.Instant
        private let members: Int
        private var count = 0
        private var backoff = Backoff(to: .milliseconds(500))

        init(limit: Duration, members: Int) {
            end = .now + limit
            self.members = members
        }

        /// The pause before the next attempt; `nil` if there is none.
        mutating func pause(after kind: EtcdFailure.Kind) -> Duration? {
            count += 1
            guard end > .now else { return nil }
            switch kind {
            case .tokenExpired: return count > members ? nil : .zero
            // Another member may have another certificate; the same one will not have.
            case .untrusted: return count < members ? .zero : nil
            case .unreachable:
                if count % members != 0 { return .zero }
                longest = min(longest * 2, .seconds(8))
                return backoff.next()
            default: return nil
            }
        }
    }
#endif
