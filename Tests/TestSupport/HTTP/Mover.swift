// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A proxy before several servers on this machine that connects each client to any of them, and cuts connections on request, so
/// that clients move between the servers.
///
/// ```swift
/// let mover = try Mover(before: servers.map(\.port), seed: 3)
/// // … clients that ask http://127.0.0.1:(mover.port) …
/// mover.cut(oneOf: 4)
/// ```
///
/// It can also cut connections by itself, where a client sends a certain word, such as the one that makes a transaction of a
/// database final:
///
/// ```swift
/// let mover = try Mover(before: [mariaDB.port], seed: 7, cuttingAt: "COMMIT", oneOf: 3)
/// ```
///
/// Bytes pass as they are. A server that refuses connections is passed over.
package final class Mover: Sendable {
    /// The action of a cut at a word.
    enum Cut: CaseIterable, Sendable {
        /// The server does not receive the request.
        case before
        /// The server receives the request, and the connection is cut at once.
        case during
        /// The server's answer is dropped.
        case after
    }

    /// The request text at which a connection may be cut.
    fileprivate struct Words: Sendable {
        let word: [UInt8]
        let chances: Chances<Cut>

        func cut(at request: [UInt8]) -> Cut? {
            request.firstRange(of: word) == nil ? nil : chances.draw(of: Cut.allCases)
        }
    }

    private struct State {
        var targets: [Int]
        var random: SeededGenerator
        var open: [ObjectIdentifier: MovedConnection] = [:]
        var cutCount = 0
        var isClosed = false
    }

    /// The port on 127.0.0.1.
    package let port: Int
    private let listener: OwnedDescriptor
    private let state: Mutex<State>
    private let words: Words?
    private let passed = Atomic(0)

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - targets: the servers' ports.
    ///   - seed: the seed of the random numbers.
    ///   - word: the request text at which a connection may be cut; `nil` for none.
    ///   - share: one of so many requests with the word is cut.
    ///   - isCutting: whether requests are cut at once.
    package init(
        before targets: [Int],
        seed: UInt64,
        cuttingAt word: String? = nil,
        oneOf share: Int = 1,
        isCutting: Bool = true
    ) throws {
        (listener, port) = try OwnedDescriptor.listening()
        let chances = Chances<Cut>(seed: seed, oneOf: share, isOn: isCutting)
        words = word.map { Words(word: Array($0.utf8), chances: chances) }
        state = Mutex(State(targets: targets, random: SeededGenerator(seed: seed)))
        Thread.detachNewThread { [weak self, listener] in
            while let client = listener.accept() {
                guard let self else { return }
                self.lead(client)
            }
        }
    }

    deinit { close() }

    /// The servers' ports, of which each new connection is led to one.
    package var targets: [Int] {
        get { state.withLock(\.targets) }
        set { state.withLock { $0.targets = newValue } }
    }

    /// The number of connections that were cut.
    package var cutCount: Int { state.withLock(\.cutCount) + (words?.chances.counts.values.reduce(0, +) ?? 0) }

    /// The number of bytes in the answers that were passed.
    package var answerBytes: Int { passed.load(ordering: .relaxed) }

    /// Cuts by itself from now on.
    package func begin() { words?.chances.begin() }

    /// Cuts nothing by itself from now on.
    package func behave() { words?.chances.end() }

    /// Ends some of the connections without an answer.
    ///
    /// - Parameter share: one of so many, at random.
    package func cut(oneOf share: Int) {
        let cut = state.withLock { state in
            let cut = state.open.values.filter { _ in Int.random(in: 0..<share, using: &state.random) == 0 }
            state.cutCount += cut.count
            return cut
        }
        for connection in cut { connection.end() }
    }

    /// Ends all connections, and takes no more.
    package func close() {
        let open = state.withLock { state in
            state.isClosed = true
            return Array(state.open.values)
        }
        listener.shutDown()
        for connection in open { connection.end() }
    }

    private func lead(_ client: OwnedDescriptor) {
        let targets = state.withLock { $0.targets.shuffled(using: &$0.random) }
        for port in targets {
            guard let server = try? OwnedDescriptor.connected(to: port) else { continue }
            let connection = MovedConnection(client: client, server: server, words: words) { [weak self] count in
                self?.passed.add(count, ordering: .relaxed)
            }
            let isTaken = state.withLock { state in
                guard !state.isClosed else { return false }
                state.open[ObjectIdentifier(connection)] = connection
                return true
            }
            guard isTaken else { return }
            let thread = Thread { [weak self] in
                connection.pass()
                _ = self?.state.withLock { $0.open.removeValue(forKey: ObjectIdentifier(connection)) }
            }
            thread.stackSize = 256 * 1024
            return thread.start()
        }
    }
}

/// A client's connection and the one to a server.
private final class MovedConnection: Sendable {
    private let client: OwnedDescriptor
    private let server: OwnedDescriptor
    private let words: Mover.Words?
    private let note: @Sendable (_ bytes: Int) -> Void

    init(
        client: OwnedDescriptor,
        server: OwnedDescriptor,
        words: Mover.Words?,
        noting note: @escaping @Sendable (_ bytes: Int) -> Void
    ) {
        (self.client, self.server, self.words, self.note) = (client, server, words, note)
    }

    /// Passes bytes until either side ends the connection, or it is cut.
    func pass() {
        var waits = [client, server].map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
        var isAnswerDropped = false
        while (try? checked("poll") { poll(&waits, 2, -1) }) != nil {
            if waits[0].revents != 0 {
                guard let request = client.receive() else { break }
                let cut = words?.cut(at: request)
                if cut == .before || (try? server.sendAll(request)) == nil || cut == .during { break }
                if cut == .after { isAnswerDropped = true }
            }
            if waits[1].revents != 0 {
                guard let answer = server.receive(), !isAnswerDropped, (try? client.sendAll(answer)) != nil else {
                    break
                }
                note(answer.count)
            }
        }
        end()
    }

    func end() {
        client.shutDown()
        server.shutDown()
    }
}
