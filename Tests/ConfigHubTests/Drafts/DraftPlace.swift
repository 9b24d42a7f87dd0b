// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigModel
import ConfigStore
import ConfigStoreTesting
import Foundation
import HubTestSupport
import SQLiteStore
import StoreTestSupport
import TestSupport

/// A kind of store that has drafts.
enum DraftPlace: String, CaseIterable {
    case memory, sqlite
    #if MariaDB
        case mariaDB
    #endif
    #if Etcd
        case etcd
    #endif

    /// Runs two servers on a new store; one where a store has only one, twice.
    ///
    /// - Parameter time: the clock by which drafts are scheduled, if not that of the store.
    func withHubs(
        at time: (@Sendable () -> Timestamp)? = nil,
        _ body: (NamespaceHub, NamespaceHub) async throws -> Void
    ) async throws {
        func withServer(_ store: some EntryStore, _ body: (NamespaceHub) async throws -> Void) async throws {
            let store: any EntryStore = time.map { TimedStore(base: store, time: $0) } ?? store
            try await withHub(store) { hub in
                // All tokens are valid.
                hub.approvals.set { _, _ in true }
                try await body(hub)
            }
        }
        func withServers(
            on place: some StorePlace,
            _ body: (NamespaceHub, NamespaceHub) async throws -> Void
        ) async throws {
            let clock = WriteClock()
            try await withServer(try await place.open(now: clock.now)) { first in
                try await withServer(try await place.open(now: clock.now)) { try await body(first, $0) }
            }
        }
        switch self {
        case .memory: try await withServer(ReferenceStore()) { try await body($0, $0) }
        case .sqlite:
            let folder = try TemporaryDirectory()
            try await withServer(SQLiteEntryStore(path: folder["livery.sqlite"])) { try await body($0, $0) }
            withExtendedLifetime(folder) {}
        #if MariaDB
            case .mariaDB: try await withServers(on: try await MariaDBPlace(), body)
        #endif
        #if Etcd
            case .etcd:
                let etcd = try await SharedEtcd.single.started()
                try await withServers(on: EtcdPlace(etcd), body)
                withExtendedLifetime(etcd) {}
        #endif
        }
    }
}

/// A store whose clock the test sets.
private struct TimedStore: EntryStore {
    let base: any EntryStore
    let time: @Sendable () -> Timestamp

    var commitExecutor: (any TaskExecutor)? { base.commitExecutor }

    func now() async throws(StoreError) -> Timestamp? { time() }
    func load() async throws(StoreError) -> StoreContents { try await base.load() }
    func commit(_ publishes: [Publish]) async throws(StoreError) -> [PublishOutcome] {
        try await base.commit(publishes)
    }
    func foreignCommits() -> AsyncStream<[Commit]> { base.foreignCommits() }
    func head() async throws(StoreError) -> RevisionCursor? { try await base.head() }
    func problem() async -> StoreError? { await base.problem() }
    func close() async throws(StoreError) { try await base.close() }

    func history(_ query: HistoryQuery, charging charge: ReadCharge) async throws(StoreError) -> [HistoryRecord] {
        try await base.history(query, charging: charge)
    }

    func values(
        in namespace: String,
        at revision: UInt64,
        charging charge: ReadCharge
    ) async throws(StoreError) -> [String: EntryValue?]? {
        try await base.values(in: namespace, at: revision, charging: charge)
    }
}

extension DraftActor {
    /// A person with one token.
    static func named(_ name: String) -> DraftActor { DraftActor(subject: name, token: name, hash: name) }
}

extension ReviewPolicy {
    /// Everything needs a draft with approvals.
    static func needing(_ approvals: Int, of protected: [String] = []) -> ReviewPolicy {
        var policy = ReviewPolicy()
        (policy.approvals, policy.protected) = (approvals, protected)
        policy.direct = .deny
        return policy
    }
}

/// A number from the environment, for runs that take longer than those before each commit.
func number(_ variable: String, otherwise number: Int) -> Int {
    ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? number
}
