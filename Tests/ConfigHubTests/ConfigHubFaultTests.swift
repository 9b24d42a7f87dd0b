// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigModel
import ConfigStore
import ConfigStoreTesting
import HubTestSupport
import InMemoryLogging
import Logging
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ConfigHubFaultTests {
    @Test
    func aStoreThatIsNotThereYetIsWaitedFor() async throws {
        let store = FaultyStore()
        let absent = StoreError(.unavailable, "the database is starting")
        store.state.withLock { $0.loadFaults = [absent, absent, StoreError(.readOnly, "read-only"), absent] }
        try await withHub(store) { hub in
            let outcome = try await hub.edit(["a": .integer(1)])
            #expect(outcome.commit?.revision == 1)
        }
        #expect(store.state.withLock { $0.loads } == 5)
    }

    @Test
    func problemIsWhyTheStoreCannotBeLoaded() async throws {
        let store = FaultyStore()
        let refused = StoreError(.unavailable, "db.example refuses livery", reason: .credentials)
        store.state.withLock { $0.loadFaults = Array(repeating: refused, count: 1000) }
        let hub = NamespaceHub(store: store, logger: .quiet)
        #expect(await hub.problem()?.reason == .starting)
        let running = Task { try await hub.run() }
        try await until { await hub.problem()?.reason == .credentials }
        running.cancel()
        try? await running.value
    }

    @Test
    func aDamagedStoreEndsTheService() async throws {
        let store = FaultyStore()
        store.state.withLock { $0.loadFaults = [StoreError(.damaged, "the file is damaged")] }
        let hub = NamespaceHub(store: store, logger: .quiet)
        let error = await #expect(throws: StoreError.self) { try await hub.run() }
        #expect(error?.code == .damaged)
    }

    @Test(arguments: [StoreError.Code.full, .readOnly, .unavailable, .tooLarge])
    func aCommitThatFailsChangesNothing(_ code: StoreError.Code) async throws {
        try await withFaultyHub { hub, store in
            try await hub.edit(["a": .integer(1)])
            store.state.withLock { $0.commitFaults = [.refuse(StoreError(code, "no"))] }
            await expectFailure(code) { try await hub.edit(["a": .integer(2)]) }
            #expect(try hub.values() == ["a": .integer(1)])
            #expect(try await hub.edit(["a": .integer(3)]).commit?.revision == 2)
            #expect(store.state.withLock { $0.loads } == 1)
        }
    }

    @Test
    func memoryMatchesTheStoreAfterALostAnswer() async throws {
        try await withFaultyHub { hub, store in
            try await hub.edit(["a": .integer(1), "b": .integer(1)])
            let before = try #require(hub.state(of: "default"))
            store.state.withLock { state in
                state.commitFaults = [.loseAnswer]
                state.loadFaults = Array(repeating: StoreError(.unavailable, "away"), count: 1000)
            }
            await expectFailure(.uncertain) { try await hub.edit(["a": .integer(2), "b": nil]) }
            // Requests fail at once while the store is unreachable.
            await expectFailure(.unavailable) { try await hub.edit(["c": .integer(3)]) }
            store.state.withLock { $0.loadFaults = [] }
            try await until { try hub.values() == ["a": .integer(2)] }
            #expect(try await hub.edit(["c": .integer(3)]).commit?.revision == 3)
            // A client that was connected before continues without a reset.
            let state = try #require(hub.state(of: "default"))
            let change = try #require(state.changes(after: before.revision))
            #expect(change.values.upserts == ["a": .integer(2), "c": .integer(3)])
            #expect(change.values.deletes == ["b"])
            #expect(state.encodedEvents(after: before.revision) != nil)
        }
    }

    /// Clients time out after 10 s: they get an answer before, and learn the outcome from a later request.
    @Test
    func writesFailInTimeIfTheStoreHangs() async throws {
        #expect(NamespaceHub.Limits().answerTime <= .seconds(8))
        try await withFaultyHub(answerTime: .milliseconds(200)) { hub, store in
            store.hold()
            let first = Task { try await hub.edit(["a": .integer(1)]) }
            try await until { store.taken == 1 }
            let second = Task { try await hub.edit(["b": .integer(1)]) }
            await expectFailure(.uncertain) { try await first.value }
            // Publishes that never reached the store are certain not to have been made.
            await expectFailure(.unavailable) { try await second.value }
            await expectFailure(.unavailable) { try await hub.edit(["c": .integer(1)]) }
            store.letGo()
            try await until { try hub.values() == ["a": .integer(1)] }
            try await until("the hub is open again") { (try? await hub.edit(["c": .integer(1)])) != nil }
            #expect(try hub.values() == ["a": .integer(1), "c": .integer(1)])
        }
    }

    /// A commit whose answer was in time, although memory had to wait for one before it.
    @Test
    func aWriteThatWasAnsweredIsNotReportedAsLate() async throws {
        let (store, logging) = (FaultyStore(), InMemoryLogHandler())
        store.state.withLock { $0.isShared = true }
        let logger = Logger(label: "test") { _ in logging }
        let limits = NamespaceHub.Limits.patient { $0.answerTime = .milliseconds(200) }
        try await withHub(store, limits: limits, logger: logger) { hub in
            let first = try await store.makeElsewhere(["a": 1])
            #expect(try await hub.edit(["b": 1]).commit?.revision == 2)
            store.tell(first)
            try await until { try hub.values() == ["a": 1, "b": 1] }
            #expect(try await hub.edit(["c": 1]).commit?.revision == 3)
        }
        #expect(!logging.entries.contains { $0.message.description.contains("unknown result") }, "\(logging.entries)")
    }

    @Test(.timeLimit(.minutes(1)))
    func writesFailInTimeIfTheHubIsCancelled() async throws {
        let store = FaultyStore()
        let hub = NamespaceHub(store: store, logger: .quiet, limits: .patient { $0.answerTime = .milliseconds(200) })
        let running = Task { try await hub.run() }
        _ = try #require(await hub.wait(atMost: .seconds(100)) { $0.head })
        store.hold()
        defer { store.letGo() }
        let write = Task { try await hub.edit(["a": .integer(1)]) }
        try await until { store.taken == 1 }
        running.cancel()
        await expectFailure(.uncertain) { try await write.value }
        store.letGo()
        try await running.value
    }

    /// Writes that are too large to be committed together still get an answer when the first of them gets none.
    @Test
    func queuedWritesFailWhenCommitTimesOut() async throws {
        try await withFaultyHub(answerTime: .seconds(6)) { hub, store in
            store.hold()
            let first = Task { try await hub.edit(["a": .integer(1)]) }
            try await until { store.taken == 1 }
            let large = EntryValue.string(String(repeating: "x", count: 60_000))
            let writes = (0..<3).map { number in
                Task { try await hub.edit(["large-\(number)": large, "larger-\(number)": large]) }
            }
            try await until { hub.waitingPublishes == 3 }
            store.state.withLock { $0.heldCommit = 2 }
            store.letGo()
            #expect(try await first.value.commit?.revision == 1)
            var codes: [StoreError.Code: Int] = [:]
            for write in writes {
                let error = try #require(await #expect(throws: StoreError.self) { try await write.value })
                codes[error.code, default: 0] += 1
            }
            #expect(codes == [.uncertain: 1, .unavailable: 2])
            store.letGo()
            try await until("the hub is open again") { (try? await hub.edit(["b": .integer(1)])) != nil }
            #expect(try hub.values().count == 4)
        }
    }

    @Test
    func unansweredRollbacksDoNotBlockOthers() async throws {
        let answerTime = Duration.seconds(12)
        try await withFaultyHub(answerTime: answerTime) { hub, store in
            try await hub.edit(["a": .integer(1)])
            store.holdEdits()
            store.hold()
            let first = Task { try await hub.edit(["a": .integer(2)]) }
            try await until { store.taken == 2 }
            var rollbacks: [Task<PublishOutcome, any Error>] = []
            var edits: [Task<PublishOutcome, any Error>] = []
            let rollback = Publish(namespace: "default", change: .rollback(to: 0))
            for number in 0..<3 {
                rollbacks.append(Task { try await hub.publish(rollback) })
                try await until { hub.waitingPublishes == 2 * number + 1 }
                edits.append(Task { try await hub.edit(["b": .integer(number)]) })
                try await until { hub.waitingPublishes == 2 * number + 2 }
            }
            store.letGo()
            _ = try await first.value
            var firstRefusal: ContinuousClock.Instant?
            for rollback in rollbacks {
                await expectFailure(.unavailable) { try await rollback.value }
                firstRefusal = firstRefusal ?? .now
            }
            for edit in edits { #expect(try await edit.value.commit != nil) }
            // All rollbacks together wait for three quarters of the answer time: the other two add nothing to that.
            #expect(ContinuousClock.now - (try #require(firstRefusal)) < answerTime * 3 / 4 * 2)
            store.tellEdits()
            #expect(try hub.values() == ["a": .integer(2), "b": .integer(2)])
        }
    }

    @Test
    func rollbackTimeoutCountsTheRestoredData() async throws {
        try await withFaultyHub(answerTime: .seconds(4)) { hub, store in
            let large = EntryValue.string(String(repeating: "x", count: 60_000))
            let values = (0..<5).map { ("key-\($0)", Optional(large)) }
            let all = Dictionary(uniqueKeysWithValues: values)
            try await store.commitElsewhere(all)
            try await store.commitElsewhere(all.mapValues { _ in nil })
            #expect(await hub.waitUntil("default", reaches: 2, atMost: .seconds(100)) != nil)
            store.hold()
            let start = ContinuousClock.now
            await expectFailure(.uncertain) {
                try await hub.publish(Publish(namespace: "default", change: .rollback(to: 1)))
            }
            // 300,000 bytes: a second for each whole 128 KiB.
            #expect(ContinuousClock.now - start >= .seconds(4) + .seconds(2))
            store.letGo()
        }
    }

    @Test
    func commitsOfOtherServersAreTakenInTheirOrder() async throws {
        try await withFaultyHub { hub, store in
            try await store.commitElsewhere(["a": .integer(1)])
            #expect(await hub.waitUntil("default", reaches: 1, atMost: .seconds(100)) != nil)
            // This one is acknowledged only after the next commit here.
            let early = try await store.makeElsewhere(["b": .integer(2)])
            async let outcome = hub.edit(["c": .integer(3)])
            try await until { store.taken == 1 }
            store.tell(early)
            store.tell(early)
            #expect(try await outcome.commit?.revision == 3)
            #expect(try hub.values() == ["a": .integer(1), "b": .integer(2), "c": .integer(3)])
            #expect(store.state.withLock { $0.loads } == 1)
        }
    }

    @Test
    func unannouncedCommitIsReadFromTheStore() async throws {
        try await withFaultyHub { hub, store in
            _ = try await store.makeElsewhere(["b": .integer(2)])
            #expect(try await hub.edit(["c": .integer(3)]).commit?.revision == 2)
            #expect(try hub.values() == ["b": .integer(2), "c": .integer(3)])
            #expect(store.state.withLock { $0.loads } == 2)
        }
    }

    /// The revisions have no gap, but those of the namespace do.
    @Test
    func aCommitWithAGapInItsNamespaceIsReadFromTheStore() async throws {
        try await withFaultyHub { hub, store in
            try await hub.edit(["a": .integer(1)])
            _ = try await hub.publish(Publish(namespace: "other", change: .edit(["a": .integer(1)])))
            var commit = try #require(try await store.makeElsewhere(["a": .integer(2)]))
            commit.previous = 2
            store.tell(commit)
            #expect(await hub.waitUntil("default", reaches: 3, atMost: .seconds(100)) != nil)
            #expect(store.state.withLock { $0.loads } == 2)
        }
    }

    @Test
    func desynchronizedStoreIsReloadedAndFollowed() async throws {
        try await withFaultyHub { hub, store in
            for (revision, key) in ["a", "b", "c"].enumerated().map({ (UInt64($0 + 1), $1) }) {
                if key == "b" {
                    _ = try await store.makeElsewhere([key: .integer(1)])
                    store.loseTrack()
                } else {
                    try await store.commitElsewhere([key: .integer(1)])
                }
                #expect(await hub.waitUntil("default", reaches: revision, atMost: .seconds(60)) != nil)
            }
            #expect(try hub.values() == ["a": .integer(1), "b": .integer(1), "c": .integer(1)])
            #expect(store.state.withLock { $0.loads } == 2)
        }
    }
}
