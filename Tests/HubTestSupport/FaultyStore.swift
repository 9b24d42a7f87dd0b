// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
package import ConfigStore
package import ConfigStoreTesting
package import Synchronization
internal import TestSupport

/// A store in memory that fails or waits on request.
package final class FaultyStore: EntryStore {
    package enum Fault: Sendable {
        /// The commit fails and is not made.
        case refuse(StoreError)
        /// The commit is made, but the answer is lost.
        case loseAnswer
    }

    package struct State: Sendable {
        package var commitFaults: [Fault] = []
        package var loadFaults: [StoreError] = []
        package var batches: [Int] = []
        /// The commit, counted from one, that waits as after ``FaultyStore/hold()``.
        package var heldCommit: Int?
        package var loads = 0
        /// Whether others commit here too.
        package var isShared = false
        /// The error of reading the head.
        package var headFault: StoreError?
        /// The number of such reads.
        package var headQuestions = 0
        /// The number of questions whether it could commit.
        package var readinessQuestions = 0
        package var isClosed = false
        /// How far the clock of the database is ahead of the machine's, in milliseconds; `nil` if it has none.
        package var clockLead: Int64?
    }

    package let state = Mutex(State())
    /// The number of publishes given to the store.
    package var taken: Int { state.withLock { $0.batches.reduce(0, +) } }
    private let store: ReferenceStore
    private let gate = Gate(isOpen: true)
    private let question = Gate(isOpen: true)
    private let foreign = Mutex(AsyncStream.makeStream(of: [Commit].self))

    package init(store: ReferenceStore = ReferenceStore()) { self.store = store }

    /// Commits wait until ``letGo()``.
    package func hold() { gate.close() }
    package func letGo() { gate.open() }

    /// Delays the result of a rollback, and of the question whether it could commit, until ``tellEdits()``.
    package func holdEdits() { question.close() }
    package func tellEdits() { question.open() }

    /// Commits as another server would; this store reports the commit.
    package func commitElsewhere(_ values: [String: EntryValue?]) async throws {
        tell(try await makeElsewhere(values))
    }

    package func makeElsewhere(_ values: [String: EntryValue?]) async throws -> Commit? {
        try await store.commit([Publish(namespace: "default", change: .edit(values))]).first?.commit
    }

    package func tell(_ commit: Commit?) {
        if let commit { foreign.withLock { _ = $0.continuation.yield([commit]) } }
    }

    /// Loses track of other servers' commits until they are requested again.
    package func loseTrack() {
        foreign.withLock { foreign in
            foreign.continuation.finish()
            foreign = AsyncStream.makeStream(of: [Commit].self)
        }
    }

    package func load() async throws(StoreError) -> StoreContents {
        let fault = state.withLock { state in
            state.loads += 1
            return state.loadFaults.isEmpty ? nil : state.loadFaults.removeFirst()
        }
        if let fault { throw fault }
        return try await store.load()
    }

    package func commit(_ publishes: [Publish]) async throws(StoreError) -> [PublishOutcome] {
        let fault = state.withLock { state in
            state.batches.append(publishes.count)
            if state.batches.count == state.heldCommit { gate.close() }
            return state.commitFaults.isEmpty ? nil : state.commitFaults.removeFirst()
        }
        await gate.pass()
        if case .refuse(let error) = fault { throw error }
        let outcomes = try await store.commit(publishes)
        if case .loseAnswer = fault { throw StoreError(.uncertain, "the answer was lost") }
        return outcomes
    }

    package func head() async throws(StoreError) -> RevisionCursor? {
        let (isShared, fault) = state.withLock { state in
            state.headQuestions += 1
            return (state.isShared, state.headFault)
        }
        if let fault { throw fault }
        return isShared ? try await store.load().head : nil
    }

    package func now() async throws(StoreError) -> Timestamp? {
        state.withLock(\.clockLead).map { Timestamp.ofClock().later(by: $0) }
    }

    package func foreignCommits() -> AsyncStream<[Commit]> { foreign.withLock(\.stream) }

    package func history(
        _ query: HistoryQuery,
        charging charge: ReadCharge
    ) async throws(StoreError) -> [HistoryRecord] {
        try await store.history(query, charging: charge)
    }

    package func values(
        in namespace: String,
        at revision: UInt64,
        charging charge: ReadCharge
    ) async throws(StoreError) -> [String: EntryValue?]? {
        await question.pass()
        return try await store.values(in: namespace, at: revision, charging: charge)
    }

    package func problem() async -> StoreError? {
        state.withLock { $0.readinessQuestions += 1 }
        await question.pass()
        return nil
    }

    package func close() async throws(StoreError) { state.withLock { $0.isClosed = true } }
}
