// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigStore
import ConfigStoreTesting
import ConfigWire
import Dispatch
import HashTreeCollections
import HubTestSupport
import NIOCore
import TestSupport
import Testing

@testable import ConfigHub

@Suite(.timeLimit(.minutes(5)))
struct NamespaceStateTests {
    private func withState(
        _ values: [String: EntryValue?],
        body: (NamespaceState) throws -> Void
    ) async throws {
        try await withHub(ReferenceStore()) { hub in
            try await hub.edit(values)
            try body(try #require(hub.state(of: "default")))
        }
    }

    /// An event loop that was its last user goes on.
    @Test func largeStateIsFreedInTheBackground() {
        weak var kept: AnyObject?
        NamespaceState.freeing.suspend()
        do {
            let text = EntryValue.string(String(repeating: "x", count: 60_000))
            let time = Timestamp(milliseconds: 1)
            let entry = StoredEntry(id: 1, value: text, revision: 1, createdAt: time, updatedAt: time)
            let contents = StoreContents.Namespace(revision: 1, entries: ["a": entry, "b": entry])
            let state = NamespaceState("n", at: RevisionCursor(epoch: Epoch(rawValue: 1), revision: 0)).loaded(
                with: contents
            )
            kept = state.encodings.snapshot
        }
        #expect(kept != nil)
        NamespaceState.freeing.resume()
        NamespaceState.freeing.sync {}
        #expect(kept == nil)
    }

    /// Lists have the revisions and dates of their entries, which the digest of the contents does not count.
    @Test func listTagsStandForRevisionsAndDates() {
        func tag(_ revisions: [String: (revision: UInt64, milliseconds: Int64)]) -> String {
            let entries = revisions.mapValues { revision, milliseconds in
                let time = Timestamp(milliseconds: milliseconds)
                return StoredEntry(id: 1, value: 1, revision: revision, createdAt: time, updatedAt: time)
            }
            let cursor = RevisionCursor(epoch: Epoch(rawValue: 1), revision: 0)
            let contents = StoreContents.Namespace(revision: 3, entries: entries)
            return NamespaceState("n", at: cursor).loaded(with: contents).listTag
        }
        #expect(tag(["a": (2, 5), "b": (3, 6)]) == tag(["a": (2, 5), "b": (3, 6)]))
        #expect(tag(["a": (2, 5), "b": (3, 6)]) != tag(["a": (3, 6), "b": (2, 5)]))
        #expect(tag(["a": (2, 5)]) != tag(["a": (2, 7)]))
    }

    @Test
    func theSnapshotReadsBackAsTheState() async throws {
        try await withState(["a.b": .string("😸"), "c": .integer(7)]) { state in
            let expected = ServerSnapshot(
                cursor: state.cursor,
                digest: ConfigDigest([("a.b", .string("😸")), ("c", .integer(7))]),
                entries: ["a.b": .string("😸"), "c": .integer(7)]
            )
            let body = try ConfigAnswer(json: Array(buffer: state.snapshotJSON))
            #expect(body == .snapshot(expected, isReset: false))
            let reset = try ConfigAnswer(json: Array(buffer: state.resetJSON))
            #expect(reset == .snapshot(expected, isReset: true))
            let unchanged = try ConfigAnswer(json: Array(buffer: state.unchangedJSON))
            #expect(unchanged == .changes(Changeset(from: 1, to: 1, digest: state.digest), epoch: state.cursor.epoch))
            #expect(state.tag == "\(state.cursor.epoch):1-\(state.digest)")
        }
    }

    @Test(arguments: [
        (["a": 1], #"{"a":1}"#),
        (["a.b": 1, "a.c": 2, "d": 3], #"{"a":{"b":1,"c":2},"d":3}"#),
        (["a": 1, "a.b": 2], #"{"a":1,"a.b":2}"#),
        (["a.b": 1, "a.b.c.d": 2, "a.e": 3], #"{"a":{"b":1,"b.c":{"d":2},"e":3}}"#),
        (["a": 1, "a.b": 2, "a.b.c": 3, "a.b.d.e": 4], #"{"a":1,"a.b":2,"a.b.c":3,"a.b.d":{"e":4}}"#),
        ([:], "{}"),
    ])
    func documentNestsKeysWherePossible(_ values: [String: Int], _ expected: String) async throws {
        try await withState(values.mapValues { .integer($0) }) { state in
            #expect(String(buffer: state.documentJSON) == expected)
        }
    }

    @Test
    func theDocumentReadsBackAsTheEntries() async throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<60 {
            var values: [String: EntryValue?] = [:]
            for number in 0..<Int.random(in: 0..<30, using: &random) {
                let depth = Int.random(in: 1...4, using: &random)
                let segments = (0..<depth).map { _ in ["a", "b", "A", "-", "1"].randomElement(using: &random) ?? "a" }
                values[segments.joined(separator: ".")] = .integer(number)
            }
            try await withState(values) { state in
                let document = try ConfigDocument(json: Array(buffer: state.documentJSON), source: "test")
                #expect(document.entries.mapValues { Optional($0.value) } == values)
            }
        }
    }

    @Test
    func rowsMatchTheLegacyProtocol() async throws {
        let clock = Timestamp(milliseconds: 1_602_960_199_000)
        try await withHub(ReferenceStore(now: { clock })) { hub in
            try await hub.edit(["z": .string("#FFB6C1")])
            try await hub.edit(["a": [1, 2]])
            try await hub.edit(["z": .string("é\"")])
            let state = try #require(hub.state(of: "default"))
            let (early, late) = (
                #"{"id":2,"key":"a","value":"[1,2]","created_at":"2020-10-17T18:43:19.001Z","#
                    + #""updated_at":"2020-10-17T18:43:19.001Z"}"#,
                #"{"id":1,"key":"z","value":"é\"","created_at":"2020-10-17T18:43:19.000Z","#
                    + #""updated_at":"2020-10-17T18:43:19.002Z"}"#
            )
            #expect(String(buffer: state.rowsJSON) == "[\(late),\(early)]")
            let since = { (offset: Int64) in
                state.rows(changedAfter: Timestamp(milliseconds: clock.milliseconds + offset)).map(\.key)
            }
            #expect(since(-1) == ["a", "z"])
            #expect(since(0) == ["a", "z"])
            #expect(since(1) == ["z"])
            #expect(since(2) == [])
        }
    }

    @Test
    func rowsSinceATimeDoNotDependOnRecentChanges() async throws {
        let (small, large) = (ReferenceStore(now: stepping()), ReferenceStore(now: stepping()))
        try await withHub(small, limits: .patient { $0.recentChanges = 2 }) { small in
            try await withHub(large) { large in
                for step in 0..<40 {
                    let value: EntryValue? = step % 5 == 4 ? nil : .integer(step)
                    let edit = ["k\(step % 7)": value]
                    try await small.edit(edit)
                    try await large.edit(edit)
                    let (left, right) = try (
                        #require(small.state(of: "default")), #require(large.state(of: "default"))
                    )
                    for moment in 0...45 {
                        let moment = Timestamp(milliseconds: Int64(moment))
                        let expected = left.entries.filter { $0.value.updatedAt > moment }.map(\.key)
                        let (rows, others) = (left.rows(changedAfter: moment), right.rows(changedAfter: moment))
                        #expect(Set(rows.map(\.key)) == Set(expected))
                        #expect(rows.elementsEqual(others, by: ==))
                    }
                }
            }
        }
    }

    /// A clock that stands still, so that times count the revisions.
    private func stepping() -> @Sendable () -> Timestamp {
        { Timestamp(milliseconds: 0) }
    }
}
