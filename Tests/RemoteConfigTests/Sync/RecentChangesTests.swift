// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RemoteConfig

struct ChangedKeyHistoryTests {
    @Test func severalStatesAreOneSetOfKeys() {
        var changes = ChangedKeyHistory(from: 5)
        changes.note(["b", "c"], at: 6)
        changes.note(["a", "b"], at: 7)
        #expect(changes.keys(since: 5) == ["a", "b", "c"])
        #expect(changes.keys(since: 6) == ["a", "b"])
        #expect(changes.keys(since: 7) == [])
        #expect(changes.keys(since: 4) == nil, "nobody was there")
    }

    @Test func oldChangesAreUnknown() {
        var changes = ChangedKeyHistory(from: 0)
        for revision in 1...100 as ClosedRange<UInt64> { changes.note(["k\(revision)"], at: revision) }
        #expect(changes.keys(since: 35) == nil)
        #expect(changes.keys(since: 36)?.count == 64)
    }

    @Test func tooManyKeysAreNotKept() {
        var changes = ChangedKeyHistory(from: 0)
        changes.note((0..<5000).map { "k\($0)" }, at: 1)
        #expect(changes.keys(since: 0) == nil)
        #expect(changes.keys(since: 1) == [])
        changes.note(["a"], at: 2)
        #expect(changes.keys(since: 1) == ["a"])
    }
}
