// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A proxy in front of a database on this machine that cuts connections when a client sends a certain word, such as the
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
        /// The server does not receive the request.
        case before
        /// The server receives the request, and the connection is cut at once.
        case during
        /// The server's answer is dropped.
        case after
    }

    /// The port on 127.0.0.1.
    package let port: Int
    private let target: Int
    private let word: [UInt8]
    private let listener: OwnedDescriptor
    private let chances: Chances<Cut>

    /// Starts a proxy.
    ///
    /// - Parameters:
    ///   - target: the server's port.
    ///   - word: the request text at which a connection may be cut.
    ///   - seed: the seed of the random numbers.
    ///   - share: one of so many is cut.
    package init(before target: Int, at word: String, seed: UInt64, oneOf share: Int) throws {
        (listener, port) = try OwnedDescriptor.listening()
        (self.target, self.word) = (target, Array(word.utf8))
        chances = Chances(seed: seed, oneOf: share)
        Thread.detachNewThread { [weak self, listener] in
            while let client = listener.accept() { self?.serve(client) }
        }
    }

    deinit { listener.shutDown() }

    /// Cuts nothing from now on.
    package func behave() { chances.end() }

    /// The number of cuts of each kind.
    package var counts: [Cut: Int] { chances.counts }

    private func serve(_ client: OwnedDescriptor) {
        guard let server = try? OwnedDescriptor.connected(to: target) else { return client.shutDown() }
        let answersAreSwallowed = Atomic(false)
        Thread.detachNewThread { [self] in
            while let bytes = client.receive() {
                let cut = bytes.contains(word) ? chances.draw(of: Cut.allCases) : nil
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

}

extension [UInt8] {
    /// Whether some bytes are among these, next to each other.
    fileprivate func contains(_ word: [UInt8]) -> Bool {
        guard count >= word.count else { return false }
        return (0...(count - word.count)).contains { self[$0..<($0 + word.count)].elementsEqual(word) }
    }
}
