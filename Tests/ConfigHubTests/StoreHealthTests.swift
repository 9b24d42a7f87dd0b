// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigStore
import HubTestSupport
import Synchronization
import TestSupport
import Testing

@testable import ConfigHub

@Suite(.timeLimit(.minutes(2)))
struct StoreHealthTests {
    /// Limits of a hub that checks its store only when a test does.
    private static func limits(patience: Duration) -> NamespaceHub.Limits {
        .patient { limits in
            limits.patience = patience
            limits.checkInterval = .seconds(600)
            limits.readinessTime = .seconds(100)
        }
    }

    @Test func aCheckCountsForThreeIntervals() {
        let now = ContinuousClock.now
        let table: [(check: StoreHealth.Check?, isReady: Bool)] = [
            (nil, false),
            (.init(hasProblem: false, lag: 0, end: now - .seconds(14)), true),
            (.init(hasProblem: false, lag: 0, end: now - .seconds(15)), false),
            (.init(hasProblem: true, lag: 0, end: now), false),
        ]
        for (check, isReady) in table {
            #expect(StoreHealth(check, every: .seconds(5), at: now).isReady == isReady)
        }
    }

    @Test func concurrentCallersShareOneQuestionOfReadiness() async throws {
        let store = FaultyStore()
        func questions() -> Int { store.state.withLock { $0.readinessQuestions } }
        try await withHub(store, limits: Self.limits(patience: .seconds(1))) { hub in
            try await until { questions() == 1 }
            store.holdEdits()
            try await withThrowingTaskGroup { group in
                for _ in 0..<1000 { group.addTask { #expect(await hub.readiness().problem == nil) } }
                try await until { questions() == 2 }
                store.tellEdits()
                try await group.waitForAll()
            }
            // On a slow machine the first answers are too old for the last callers.
            #expect(questions() < 100)
        }
    }

    @Test func aStoreThatDoesNotAnswerIsNotReady() async throws {
        let store = FaultyStore()
        var limits = Self.limits(patience: .seconds(1))
        limits.readinessTime = .milliseconds(10)
        try await withHub(store, limits: limits) { hub in
            try await until { store.state.withLock { $0.readinessQuestions } == 1 }
            store.holdEdits()
            #expect(await hub.readiness().problem?.reason == .unreachable)
            store.tellEdits()
            try await until { await hub.readiness().problem == nil }
        }
    }

    @Test func lagCountsRevisionsMissingInMemory() async throws {
        let store = FaultyStore()
        store.state.withLock { $0.isShared = true }
        try await withHub(store, limits: Self.limits(patience: .milliseconds(10))) { hub in
            _ = try await store.makeElsewhere(["a": 1])
            _ = try await store.makeElsewhere(["a": 2])
            #expect(await hub.monitor.check(comparing: true) == nil)
            #expect(hub.health.lag == 2)
        }
    }

    @Test func aCommitThatMemoryReceivesAfterTheQuestionIsNoLag() async throws {
        let store = FaultyStore()
        store.state.withLock { $0.isShared = true }
        try await withHub(store, limits: Self.limits(patience: .seconds(60))) { hub in
            let commit = try await store.makeElsewhere(["a": 1])
            async let problem = hub.monitor.check(comparing: true)
            while store.state.withLock({ $0.headQuestions }) == 0 { await Task.yield() }
            store.tell(commit)
            #expect(await problem == nil)
            #expect(hub.health.lag == 0)
        }
    }
}
