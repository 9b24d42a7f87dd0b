// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigStore
import ConfigStoreTesting
import HubTestSupport
import Logging
import Observing
import Synchronization
import TestSupport
import Testing

@testable import ConfigHub

@Suite(.timeLimit(.minutes(5)))
struct ConfigHubTests {
    @Test func secondRunFailsAndLeavesTheFirstAlone() async throws {
        try await withHub(ReferenceStore()) { hub in
            let error = await #expect(throws: StoreError.self) { try await hub.run() }
            #expect(error?.message.hasPrefix("the hub is already running") == true)
            try await hub.edit(["a": .integer(1)])
        }
    }

    @Test
    func nothingIsKnownBeforeTheStoreIsLoaded() async throws {
        let hub = NamespaceHub(store: ReferenceStore(), logger: Logger(label: "test"))
        #expect(hub.state(of: "default") == nil)
        #expect(hub.head == nil)
        #expect(await hub.problem()?.code == .unavailable)
        await expectFailure(.unavailable) { try await hub.edit(["a": .integer(1)]) }
    }

    @Test
    func anUnknownNamespaceIsEmptyAndTakesNoMemory() async throws {
        try await withHub(ReferenceStore()) { hub in
            for number in 0..<100 { #expect(hub.state(of: "n\(number)")?.revision == 0) }
            #expect(hub.namespacesAndHead()?.namespaces.isEmpty == true)
            try await hub.edit(["a": nil], in: "n1")
            #expect(hub.namespacesAndHead()?.namespaces.isEmpty == true)
        }
    }

    @Test
    func commitsBehindALoadedStateFollowIt() async throws {
        let store = ReferenceStore()
        let hub = NamespaceHub(store: store, logger: Logger(label: "test"))
        try await hub.follower.load()
        // A write with an unknown outcome, so that its commit is not reported.
        _ = try await store.commit([Publish(namespace: "default", change: .edit(["a": .integer(1)]))])
        let contents = try await store.load()
        let next = try await store.commit([Publish(namespace: "default", change: .edit(["a": .integer(2)]))])
        #expect(hub.memory.apply(next.compactMap(\.commit)) == .waiting)
        #expect(hub.head?.revision == 0)
        #expect(hub.memory.install(contents) == .done)
        #expect(hub.head?.revision == 2)
        #expect(try hub.values() == ["a": .integer(2)])
    }

    @Test
    func queuedPublishesAreCommittedTogether() async throws {
        try await withFaultyHub { hub, store in
            store.hold()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<40 { group.addTask { try await hub.edit(["k\(writer)": .integer(writer)]) } }
                try await until {
                    store.state.withLock { !$0.batches.isEmpty } && hub.waitingPublishes == 40 - store.taken
                }
                store.letGo()
                try await group.waitForAll()
            }
            let batches = store.state.withLock { $0.batches }
            #expect(batches.reduce(0, +) == 40)
            #expect(batches.count <= 2)
            #expect(try hub.values().count == 40)
        }
    }

    @Test
    func rejectedPublishesAreReturnedAndReported() async throws {
        let hub = NamespaceHub(store: ReferenceStore(), logger: .quiet)
        try await hub.follower.load()
        let long = EntryValue.string(String(repeating: "x", count: 60_000))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<3 { group.addTask { try await hub.edit(["k\(writer)": long]) } }
            try await until { hub.waitingPublishes == 3 }
            for (count, isCut) in [(2, true), (1, false)] {
                let batch = await hub.queue.nextBatch(BatchPace(BatchSize(count: 512, bytes: PublishWriter.longBytes)))
                let front = await hub.writer.commitFront(of: try #require(batch))
                #expect(front.committed.count == count && front.committed.bytes > count * 60_000)
                #expect(front.isCut == isCut)
                #expect(hub.queue.size.count == (isCut ? 1 : 0) && (hub.queue.size.bytes > 60_000) == isCut)
            }
            try await group.waitForAll()
        }
    }

    @Test
    func aQueueThatIsFullRefuses() async throws {
        let store = FaultyStore()
        try await withHub(store, limits: .patient { $0.waitingPublishes = 3 }) { hub in
            store.hold()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await hub.edit(["first": .integer(0)]) }
                try await until { store.taken == 1 }
                for writer in 0..<3 { group.addTask { try await hub.edit(["k\(writer)": .integer(writer)]) } }
                try await until { hub.waitingPublishes == 3 }
                await expectFailure(.unavailable) { try await hub.edit(["late": .integer(0)]) }
                store.letGo()
                try await group.waitForAll()
            }
            #expect(try hub.values().count == 4)
        }
    }

    @Test
    func shutdownCommitsAcceptedAndRefusesOthers() async throws {
        let memory = ReferenceStore()
        let store = FaultyStore(store: memory)
        store.hold()
        let (hub, tasks) = try await withHub(store) { hub in
            let tasks = (0..<10).map { writer in Task { try await hub.edit(["k\(writer)": .integer(writer)]) } }
            try await until { store.taken + hub.waitingPublishes == 10 }
            store.letGo()
            return (hub, tasks)
        }
        for task in tasks { #expect(try await task.value.commit != nil) }
        #expect(try await memory.load().namespaces["default"]?.entries.count == 10)
        await expectFailure(.unavailable) { try await hub.edit(["late": .integer(0)]) }
    }

    @Test
    func observersReceiveEveryChangeInOrder() async throws {
        let heard = Log<UInt64>()
        try await withHub(ReferenceStore()) { hub in
            let stop = hub.observe { heard.append($0.revision) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<20 {
                    group.addTask { for step in 0..<10 { try await hub.edit(["k\(writer)": .integer(step)]) } }
                }
                try await group.waitForAll()
            }
            stop()
            try await hub.edit(["after": .integer(1)])
        }
        let revisions = heard.entries
        #expect(revisions == revisions.sorted())
        #expect(Set(revisions).count == revisions.count)
        #expect(revisions.last == 200)
    }

    /// The store, which all namespaces wait for, receives only publishes that were checked.
    @Test
    func costlyChecksAreDoneBeforeTheStore() async throws {
        try await withFaultyHub { hub, store in
            try await hub.edit(["schema:*": ["pattern": "(?:a?){660}$"]])
            let text = String(repeating: "a", count: 600)
            let taken = store.taken
            let made = try await hub.edit(["a": .string(text), "b": .string(text + "b")])
            guard case .committed = made else {
                Issue.record("\(made)")
                return
            }
            #expect(store.taken == taken + 1)
            let schema = try await hub.edit(["schema:*": ["pattern": "^(?:a?){660}$"]])
            guard case .invalid(let violations) = schema else {
                Issue.record("\(schema)")
                return
            }
            #expect(violations.map(\.key) == ["b"])
            #expect(store.taken == taken + 1)
        }
    }

    @Test func checksDoNotWaitForOthersWithoutLimit() async throws {
        try await withFaultyHub { hub, _ in
            let state = try #require(hub.state(of: "default"))
            let publish = Publish(namespace: "default", change: .edit(["a": 1]))
            guard case .valid? = await PublishChecks(patience: .seconds(200)).checkInTurn(publish, by: state) else {
                Issue.record("a valid publish was not checked")
                return
            }
            let late = await PublishChecks(patience: .zero).checkInTurn(publish, by: state)
            if late != nil { Issue.record("a publish was checked too late") }
        }
    }
}

struct DateWatchTests {
    @Test func clockDeviationIsReportedOnceEachWay() {
        var watch = DateWatch()
        let clock = Timestamp(milliseconds: 1_700_000_000_000)
        #expect(watch.message(for: clock, clock: clock) == nil)
        let far = Timestamp(milliseconds: clock.milliseconds + 120_000)
        #expect(watch.message(for: far, clock: clock)?.contains("ahead of the system clock") == true)
        #expect(watch.message(for: far, clock: clock) == nil)
        #expect(watch.message(for: clock, clock: far)?.contains("jumped ahead") == true)
        #expect(watch.message(for: far, clock: far)?.contains("again") == true)
        #expect(watch.message(for: far, clock: far) == nil)
    }
}
