// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A proxy in front of a database on this machine that cuts connections when a client says a certain word, such as the
/// one that makes a transaction final.
///
/// ```swift
/// let proxy = try CuttingProxy(before: mariaDB.port, at: "COMMIT", seed: 7, oneOf: 3)
/// // … a store on 127.0.0.1:(proxy.port) …
/// proxy.behave()
/// ```
package final class CuttingProxy: Sendable {
    /// The action of a cut.
    package enum Cut: CaseIterable, Sendable {
        /// The server does not get to hear it.
        case before
        /// The server receives the request, and the connection is cut at once.
        case during
        /// The server's answer is swallowed.
        case after
    }

    private struct State {
        var generator: SeededGenerator
        var isHarmless = false
        var counts: [Cut: Int] = [:]
    }

    /// The port on 127.0.0.1.
    package let port: Int
    private let target: Int
    private let word: [UInt8]
    private let share: Int
    private let listener: OwnedDescriptor
    private let state: Mutex<State>

    /// Starts a proxy.
    ///
    /// - Parameters:
    ///   - target: the server's port.
    ///   - word: the request text at which a connection may be cut.
    ///   - seed: where the chances begin.
    ///   - share: one of so many times it is.
    package init(before target: Int, at word: String, seed: UInt64, oneOf share: Int) throws {
        (listener, port) = try OwnedDescriptor.listening()
        (self.target, self.word, self.share) = (target, Array(word.utf8), share)
        state = Mutex(State(generator: SeededGenerator(seed: seed)))
        Thread.detachNewThread { [weak self, listener] in
            while let client = listener.accept() { self?.serve(client) }
        }
    }

    deinit { listener.shutDown() }

    /// Cuts nothing from now on.
    package func behave() { state.withLock { $0.isHarmless = true } }

    /// The number of cuts of each kind.
    package var counts: [Cut: Int] { state.withLock(\.counts) }

    private func serve(_ client: OwnedDescriptor) {
        guard let server = try? OwnedDescriptor.connected(to: target) else { return client.shutDown() }
        let answersAreSwallowed = Atomic(false)
        Thread.detachNewThread { [self] in
            while let bytes = client.receive() {
                let cut = bytes.contains(word) ? draw() : nil
                if cut == .before { break }
                if cut == .after { answersAreSwallowed.store(true, ordering: .relaxed) }
                guard (try? server.sendAll(bytes)) != nil, cut != .during else { break }
            }
            client.shutDown()
            server.shutDown()
        }
        Thread.detachNewThread {
            while let bytes = server.receive(), !answersAreSwallowed.load(ordering: .relaxed) {
                guard (try? client.sendAll(bytes)) != nil else { break }
            }
            client.shutDown()
            server.shutDown()
        }
    }

    private func draw() -> Cut? {
        state.withLock { state in
            guard !state.isHarmless, Int.random(in: 0..<share, using: &state.generator) == 0 else { return nil }
            let cut = Cut.allCases.randomElement(using: &state.generator)
            if let cut { state.counts[cut, default: 0] += 1 }
            return cut
        }
    }
}

extension [UInt8] {
    /// Whether some bytes are among these, next to each other.
    fileprivate func contains(_ word: [UInt8]) -> Bool {
        guard count >= word.count else { return false }
        return (0...(count - word.count)).contains { self[$0..<($0 + word.count)].elementsEqual(word) }
    }
}
