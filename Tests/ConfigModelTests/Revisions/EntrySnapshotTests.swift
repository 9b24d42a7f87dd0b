// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

struct EntrySnapshotTests {
    private func updated(_ json: String, after snapshot: EntrySnapshot = .empty, at time: Int64) throws -> (
        snapshot: EntrySnapshot, changedKeys: [String]
    ) {
        snapshot.updated(with: try document(json), from: "d.json", at: Timestamp(milliseconds: time))
    }

    @Test func defaultsCountWhereTheSourceHasNothing() throws {
        let defaults = try document(#"{"title":"Hi","limit":1,"theme":{"dark":true},"app.size":2}"#)
        let start = EntrySnapshot.empty.over(defaults, from: "bundled", at: Timestamp(milliseconds: 1))
        #expect(start.entries.mapValues(\.value) == ["title": "Hi", "limit": 1, "theme.dark": true, "app.size": 2])
        #expect(start.heldBySource.isEmpty && start.revision == 1)
        func state(_ values: [String: EntryValue], _ revision: UInt64) -> ServerSnapshot {
            let cursor = Cursor(epoch: Epoch(rawValue: 1), revision: revision)
            return ServerSnapshot(
                cursor: cursor,
                digest: ConfigDigest(values.lazy.map { ($0.key, $0.value) }),
                entries: values
            )
        }
        let time = Timestamp(milliseconds: 2)
        var values: [String: EntryValue] = ["title": "Hello", "theme": ["dark": false], "own": 3]
        let read = try start.updated(with: state(values, 1), from: "s", at: time).snapshot
        #expect(
            read.entries.mapValues(\.value)
                == ["title": "Hello", "limit": 1, "theme": ["dark": false], "own": 3, "app.size": 2]
        )
        #expect(read.heldBySource.mapValues(\.value) == values)
        values = ["limit": 9]
        let changes = Changeset(
            from: 1,
            to: 2,
            digest: state(values, 2).digest,
            upserts: ["limit": 9],
            deletes: ["title", "theme", "own"]
        )
        let changed = try #require(read.updated(with: changes, epoch: Epoch(rawValue: 1), from: "s", at: time))
        #expect(
            changed.snapshot.entries.mapValues(\.value)
                == ["title": "Hi", "limit": 9, "theme.dark": true, "app.size": 2]
        )
        #expect(changed.snapshot.heldBySource.mapValues(\.value) == values)
        #expect(changed.snapshot.entries["title"]?.source == "bundled")
        #expect(changed.snapshot.movedDefaults(since: read) == ["title", "limit", "theme.dark"])
    }

    @Test func firstStateHasEveryKeyAsChanged() throws {
        let (snapshot, changedKeys) = try updated(#"{"b":1,"a":{"x":true}}"#, at: 5)
        #expect(changedKeys == ["a.x", "b"])
        #expect(snapshot.revision == 1)
        let entry = try #require(snapshot.entries["a.x"])
        #expect(entry.value == .boolean(true))
        #expect(entry.source == "d.json")
        #expect(entry.location == TextLocation(line: 1, column: 17))
        #expect(entry.changedAt == Timestamp(milliseconds: 5))
    }

    @Test func addedChangedAndRemovedKeysAreNamedSorted() throws {
        let (first, _) = try updated(#"{"stays":1,"changes":1,"goes":1,"Zoe":1}"#, at: 1)
        let (second, changedKeys) = try updated(#"{"new":1,"stays":1,"changes":2,"Zoe":"1"}"#, after: first, at: 2)
        #expect(changedKeys == ["Zoe", "changes", "goes", "new"])
        #expect(second.revision == 2)
        #expect(Set(second.entries.keys) == ["stays", "changes", "new", "Zoe"])
    }

    @Test func revisionStaysWhereNothingChanged() throws {
        let (first, _) = try updated(#"{"a":1,"b":[1,2]}"#, at: 1)
        let (second, changedKeys) = try updated("{\n\"b\": [1.0, 2e0],\n\"a\": 1.0 }", after: first, at: 2)
        #expect(changedKeys.isEmpty)
        #expect(second.revision == 1)
    }

    @Test func anEmptyDocumentAfterNothingIsNoChange() throws {
        let (snapshot, changedKeys) = try updated("{}", at: 1)
        #expect(changedKeys.isEmpty)
        #expect(snapshot == .empty)
    }

    @Test func everythingRemovedIsAChange() throws {
        let (first, _) = try updated(#"{"a":1}"#, at: 1)
        let (second, changedKeys) = try updated("{}", after: first, at: 2)
        #expect(changedKeys == ["a"])
        #expect(second.revision == 2)
        #expect(second.entries.isEmpty)
    }

    @Test func changeTimeIsKeptForUnchangedValues() throws {
        let (first, _) = try updated(#"{"a":1,"b":1}"#, at: 10)
        let (second, _) = try updated(#"{"a":1,"b":2}"#, after: first, at: 20)
        let (third, _) = try updated(#"{"a":1,"b":2}"#, after: second, at: 30)
        #expect(third.entries["a"]?.changedAt == Timestamp(milliseconds: 10))
        #expect(third.entries["b"]?.changedAt == Timestamp(milliseconds: 20))
        let (fourth, _) = try updated(#"{"b":2}"#, after: third, at: 40)
        let (fifth, _) = try updated(#"{"a":1,"b":2}"#, after: fourth, at: 50)
        #expect(fifth.entries["a"]?.changedAt == Timestamp(milliseconds: 50), "it was away")
    }

    @Test func placeAndSourceAreRefreshedEvenWhereNothingChanged() throws {
        let (first, _) = try updated(#"{"a":1}"#, at: 1)
        let (second, changedKeys) = first.updated(
            with: try document("{\n  \"a\": 1}"),
            from: "e.json",
            at: Timestamp(milliseconds: 2)
        )
        #expect(changedKeys.isEmpty)
        #expect(second.entries["a"]?.location == TextLocation(line: 2, column: 8))
        #expect(second.entries["a"]?.source == "e.json")
    }

    @Test func theStateBeforeIsNotTouched() throws {
        let (first, _) = try updated(#"{"a":1}"#, at: 1)
        let copy = first
        _ = try updated(#"{"a":2}"#, after: first, at: 2)
        #expect(first == copy)
    }

    @Test func aTextInOtherScalarsIsAChange() throws {
        let (first, _) = try updated(#"{"a":"\u00e9"}"#, at: 1)
        let (_, changedKeys) = try updated(#"{"a":"e\u0301"}"#, after: first, at: 2)
        #expect(changedKeys == ["a"])
    }

    @Test func aNumberBecomingItsTextIsAChange() throws {
        let (first, _) = try updated(#"{"a":1,"b":"true","c":[]}"#, at: 1)
        let (_, changedKeys) = try updated(#"{"a":"1","b":true,"c":[""]}"#, after: first, at: 2)
        #expect(changedKeys == ["a", "b", "c"])
    }
}

struct ConfigSnapshotReadingTests {
    private func snapshot(_ json: String) throws -> EntrySnapshot {
        EntrySnapshot.empty
            .updated(with: try document(json), from: "d.json", at: Timestamp(milliseconds: 0)).snapshot
    }

    private func mismatch(of json: String) throws -> ConfigError {
        let snapshot = try snapshot(json)
        return try #require(throws: ConfigError.self) { try snapshot.value(forKey: "k", as: RGBColor.self) }
    }

    @Test func valuesAreReadAsTheirType() throws {
        let snapshot = try snapshot(##"{"color":"#FFB6C1","text":"Hi"}"##)
        #expect(try snapshot.value(forKey: "color") == RGBColor(rgb24: 0xFFB6C1))
        #expect(try snapshot.value(forKey: "text") == "Hi")
        #expect(try snapshot.value(forKey: "color", as: String.self) == "#FFB6C1")
    }

    @Test func aMissingKeyIsNothing() throws {
        #expect(try snapshot("{}").value(forKey: "k", as: String.self) == nil)
        #expect(try snapshot(#"{"K":"case matters"}"#).value(forKey: "k", as: String.self) == nil)
    }

    @Test(arguments: [
        (#""pink""#, #""pink""#), ("1", "a number"), ("1.5", "a number"), ("true", "a Boolean"),
        ("[]", "an empty array"),
        (#"["a"]"#, "an array of strings"), ("[1]", "an array of numbers"), ("[false]", "an array of Booleans"),
    ])
    func aMismatchSaysWhatWasFoundAndWhatIsWanted(json: String, found: String) throws {
        let error = try mismatch(of: "{\n  \"k\": \(json)\n}")
        #expect(error.code == .typeMismatch)
        #expect(error.description == "d.json:2:8: k: \(found) is not a colour such as #FFB6C1")
    }

    @Test func aMismatchQuotesNoMoreThanALine() throws {
        let long = try mismatch(of: #"{"k":"\#(String(repeating: "x", count: 60_000))"}"#)
        #expect(long.description.count < 120)
        let marks = try mismatch(of: #"{"k":"e\#(String(repeating: "\u{301}", count: 30_000))"}"#)
        #expect(marks.description.unicodeScalars.count < 120)
        let commands = try mismatch(of: #"{"k":"a\nb\r\n\u001b[31m\u0000\u0085\u2028\u009b"}"#)
        #expect(commands.message.hasPrefix(#""a\u000ab\u000d\u000a\u001b[31m\u0000\u0085\u2028\u009b""#))
    }
}
