// SPDX-License-Identifier: Apache-2.0

import ConfigClient
import ConfigModel
import ConfigWire
import Foundation
import HTTPTransport
import RemoteConfig
import Synchronization
import TestSupport

/// Writers of a namespace, and the truth about what they wrote.
final class WriteLoad: Sendable {
    private struct Truth {
        var history: PublishedHistory
        var changes = 0
        var isOver = false
    }

    let client: ServerClient
    private let truth: Mutex<Truth>

    init(to address: String, namespace: String = "default") async throws {
        client = ServerClient(
            address: try ServerAddress(address, namespace: namespace),
            transport: HTTPClient(),
            timeouts: HTTPTimeouts(answer: .seconds(60), idle: .seconds(60), total: nil)
        )
        let epoch = try await client.snapshot().cursor.epoch
        truth = Mutex(Truth(history: PublishedHistory(epoch: epoch)))
    }

    /// Whether to stop writing. A cancelled writer would not know the outcome of its last write.
    var isOver: Bool {
        get { truth.withLock(\.isOver) }
        set { truth.withLock { $0.isOver = newValue } }
    }

    /// The acknowledged history.
    var history: PublishedHistory { truth.withLock(\.history) }

    /// The number of keys changed by all revisions together.
    var changeCount: Int { truth.withLock(\.changes) }

    /// Publishes, as one revision.
    ///
    /// - Returns: the revision.
    @discardableResult
    func publish(
        set: [String: EntryValue],
        unset: Set<String> = [],
        rules: [String: EntryValue?] = [:]
    ) async throws -> UInt64 {
        let receipt = try await client.publish(PublishRequest(set: set, unset: unset, rules: rules))
        var changes: [String: EntryValue?] = set.mapValues { $0 }
        for (key, rule) in rules { changes[EntryKind.rule.key(of: key)] = rule }
        // A rule goes with its key.
        for key in unset { (changes[key], changes[EntryKind.rule.key(of: key)]) = (.some(nil), .some(nil)) }
        note(receipt) { $0.note(revision: $1, changes: changes) }
        return receipt.cursor.revision
    }

    /// The revision that last set or removed a key, after a write of it.
    func revision(of key: String) async throws -> UInt64? {
        do throws(ConfigError) {
            return try await client.entry(key).revision
        } catch {
            guard error.code == .notFound else { throw error }
        }
        // A write that got no answer may have been made after this one, and have removed the key.
        return try await client.historyPage(of: key, limit: 1).records.first?.revision
    }

    /// Makes everything as it was at a revision that has been acknowledged before.
    func rollBack(using random: inout some RandomNumberGenerator) async throws {
        guard let older = history.revisions.suffix(50).randomElement(using: &random) else { return }
        let receipt = try await client.rollback(RollbackRequest(to: older))
        note(receipt) { $0.note(revision: $1, rollbackTo: older) }
    }

    /// The server's history, newest first.
    func page(of before: UInt64?) async throws -> HistoryMessage {
        try await client.historyPage(before: before, limit: 1000)
    }

    private func note(_ receipt: PublishReceipt, _ body: (inout PublishedHistory, UInt64) -> Void) {
        // Without a change, there is no revision.
        guard receipt.updatedAt != nil else { return }
        truth.withLock { truth in
            body(&truth.history, receipt.cursor.revision)
            truth.changes += receipt.changed.count + receipt.changedRules.count
        }
    }
}
