// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Foundation
import Observing
import TestSupport
import Testing

/// A store whose writes wait until the test releases them, or fail on request.
private final class GatedStore: KeyValueStore {
    let name = "gated"
    let memory = MemoryStore()
    let gate = DispatchSemaphore(value: 0)
    let batches = Box<[[ExactString: EntryValue?]]>([])
    let failure = Box<ConfigError?>(nil)

    func value(forKey key: String) -> EntryValue? { memory.value(forKey: key) }
    func observe(_ key: String, _ didChange: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        memory.observe(key, didChange)
    }

    func apply(_ changes: [(key: String, value: EntryValue?)]) throws(ConfigError) {
        batches.change { $0.append(Dictionary(changes.map { (ExactString($0.key), $0.value) }) { $1 }) }
        gate.wait()
        if let error = failure.value { throw error }
        memory.apply(changes)
    }
}

@Suite(.timeLimit(.minutes(5)))
struct BackgroundStoreTests {
    private let base = GatedStore()
    private let store: BackgroundStore

    init() { store = BackgroundStore(base) }

    private func waitForBatches(_ count: Int) throws {
        try until("\(count) batches") { base.batches.value.count == count }
    }

    @Test func setValuesApplyAtOnceAndABurstIsOneWrite() async throws {
        try store.set(0, forKey: "slider")
        try waitForBatches(1)
        for step in 1...100 {
            try store.set(step, forKey: "slider")
            #expect(store.value(forKey: "slider") == .integer(step))
        }
        try store.set(nil, forKey: "gone")
        store.apply([("other", .string("x"))])
        #expect(base.memory.value(forKey: "slider") == nil, "nothing is written yet")
        for _ in 0..<2 { base.gate.signal() }
        #expect(await store.flush() == nil)
        #expect(base.batches.value == [["slider": .integer(0)], ["slider": .integer(100), "other": .string("x")]])
        #expect(base.memory.value(forKey: "slider") == .integer(100))
        #expect(store.value(forKey: "slider") == .integer(100))
    }

    @Test func aRemovalIsWrittenToo() async throws {
        base.memory.apply([("a", .integer(1))])
        #expect(store.value(forKey: "a") == .integer(1))
        try store.set(nil, forKey: "a")
        #expect(store.value(forKey: "a") == nil)
        base.gate.signal()
        #expect(await store.flush() == nil)
        #expect(base.memory.value(forKey: "a") == nil)
    }

    @Test func revertDuringAWriteIsWrittenAgain() async throws {
        base.memory.apply([("a", .integer(1))])
        try store.set(2, forKey: "a")
        try waitForBatches(1)
        try store.set(1, forKey: "a")
        for _ in 0..<2 { base.gate.signal() }
        #expect(await store.flush() == nil)
        #expect(base.memory.value(forKey: "a") == .integer(1))
    }

    @Test func listenersReceiveLocalAndForeignChanges() async throws {
        let recorder = Log<EntryValue?>()
        let stop = store.observe("a") { [store] in recorder.append(store.value(forKey: "a")) }
        try store.set(1, forKey: "a")
        #expect(recorder.entries == [.integer(1)])
        try waitForBatches(1)
        // Another writer changes the store while this waits: the value set here overwrites it.
        base.memory.apply([("a", .integer(9))])
        #expect(store.value(forKey: "a") == .integer(1))
        base.gate.signal()
        #expect(await store.flush() == nil)
        base.memory.apply([("a", .integer(10))])
        #expect(recorder.entries.last == .integer(10))
        stop()
        base.memory.apply([("a", .integer(11))])
        #expect(recorder.entries.last == .integer(10))
    }

    @Test func failedWriteIsKeptAndRetried() async throws {
        let full = ConfigError(.unreadable, "the disk is full")
        let told = Log<ConfigError?>()
        // Nothing is repeated by itself, so that each write is one that the gate is opened for.
        let store = BackgroundStore(base) { _, _ in () }
        let subscription = store.problemChanges.subscribe { [store] in told.append(store.problem) }
        base.failure.value = full
        for _ in 0..<2 { base.gate.signal() }
        try store.set(1, forKey: "a")
        try await until("the failure") { store.problem == full }
        #expect(store.value(forKey: "a") == .integer(1))
        #expect(await store.flush() == full)
        base.failure.value = nil
        for _ in 0..<2 { base.gate.signal() }
        try store.set(2, forKey: "b")
        #expect(await store.flush() == nil)
        #expect(base.memory.value(forKey: "a") == .integer(1) && base.memory.value(forKey: "b") == .integer(2))
        #expect(told.entries == [full, nil])
        subscription.end()
    }

    @Test func failedWriteIsRepeatedWithoutAChange() async throws {
        let pauses = Box<[Duration]>([])
        let attempt = Box<@Sendable () -> Void>({})
        let store = BackgroundStore(base) { pause, body in
            pauses.change { $0.append(pause) }
            attempt.value = body
            return ()
        }
        base.failure.value = ConfigError(.unreadable, "the disk is full")
        try store.set(1, forKey: "a")
        for count in 1...9 {
            base.gate.signal()
            try await until("failure \(count)") { pauses.value.count == count }
            if count == 9 { base.failure.value = nil }
            attempt.value()
        }
        base.gate.signal()
        #expect(await store.flush() == nil)
        #expect(base.memory.value(forKey: "a") == .integer(1) && base.batches.value.count == 10)
        #expect(pauses.value == [200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000].map { .milliseconds($0) })
    }

    @Test func releasedStoreTriesOnceMore() throws {
        var store: BackgroundStore? = BackgroundStore(base) { _, _ in () }
        base.failure.value = ConfigError(.unreadable, "the disk is full")
        try store?.set(1, forKey: "a")
        base.gate.signal()
        try until("the failure") { store?.problem != nil }
        base.failure.value = nil
        base.gate.signal()
        store = nil
        try until("it is written") { base.memory.value(forKey: "a") == .integer(1) }
    }

    @Test func valueThatIsTooLargeKeepsNoOtherFromTheFile() async throws {
        let folder = try TemporaryDirectory()
        let path = folder["tweaks.json"]
        let store = BackgroundStore(FileStore(path: path))
        store.apply([("large", .string(String(repeating: "x", count: 8 << 20))), ("a", .integer(1))])
        let problem = await store.flush()
        #expect(problem?.code == .tooLarge && problem?.key == "large" && store.problem == problem)
        #expect(FileStore(path: path).values == ["a": .integer(1)])
        #expect(store.value(forKey: "large") != nil)
        store.apply([("large", nil), ("b", .integer(2))])
        #expect(await store.flush() == nil)
        #expect(FileStore(path: path).values == ["a": .integer(1), "b": .integer(2)])
    }

    /// A program that was stopped, or that hangs, in the middle of writing the same file.
    @Test func foreignLockDelaysOnlyTheWrite() async throws {
        let folder = try TemporaryDirectory()
        let path = folder["tweaks.json"]
        let holder = open(folder.path, O_RDONLY | O_CLOEXEC)
        #expect(flock(holder, LOCK_EX) == 0)
        let store = BackgroundStore(FileStore(path: path))
        for step in 0..<1000 { try store.set(step, forKey: "slider") }
        #expect(store.value(forKey: "slider") == .integer(999))
        #expect(!FileManager.default.fileExists(atPath: path))
        close(holder)
        #expect(await store.flush() == nil)
        #expect(FileStore(path: path).values == ["slider": .integer(999)])
    }

    @Test func snapshotHasUnwrittenValues() {
        let store = BackgroundStore(MemoryStore(["n": .integer(1), "m": .integer(5)]))
        store.apply([("n", .integer(2))])
        let snapshot = store.snapshot()
        store.apply([("n", .integer(3)), ("m", nil)])
        #expect(snapshot("n") == .integer(2) && snapshot("m") == .integer(5))
        #expect(store.snapshot()("m") == nil)
    }
}
