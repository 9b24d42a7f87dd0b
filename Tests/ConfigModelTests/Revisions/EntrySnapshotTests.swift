// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

struct EntrySnapshotTests {
    @Test func defaultsCountWhereTheSourceHasNothing() throws {
        let defaults = try document(#"{"title":"Hi","limit":1,"theme":{"dark":true},"app.size":2}"#)
        let start = EntrySnapshot.empty.over(defaults, from: "bundled", at: Timestamp(milliseconds: 1))
        #expect(start.entries.mapValues(\.value) == ["title": "Hi", "limit": 1, "theme.dark": true, "app.size": 2])
        #expect(start.heldBySource.isEmpty && start.revision == 1)
        func state(_ values: [String: EntryValue], _ revision: UInt64) -> ServerSnapshot {
            let cursor = RevisionCursor(epoch: Epoch(rawValue: 1), revision: revision)
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
                == [
                    "title": "Hello", "limit": 1, "theme": ["dark": false], "theme.dark": false, "own": 3,
                    "app.size": 2,
                ]
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
    }
}

struct ConfigSnapshotReadingTests {
    private func snapshot(_ json: String) throws -> EntrySnapshot {
        EntrySnapshot.empty
            .updated(with: try document(json), from: "d.json", at: Timestamp(milliseconds: 0)).snapshot
    }

    private func mismatch(of json: String) throws -> ConfigError {
        let snapshot = try snapshot(json)
        return try #require(throws: ConfigError.self) {
            try snapshot.entries["k"]?.value(ofKey: "k", as: RGBColor.self)
        }
    }

    @Test(arguments: [
        (#""pink""#, #""pink""#), ("1", "a number"), ("1.5", "a number"), ("true", "a Boolean"),
        ("[]", "an empty array"),
        (#"["a"]"#, "an array of strings"), ("[1]", "an array of numbers"), ("[false]", "an array of Booleans"),
    ])
    func mismatchNamesFoundAndExpectedTypes(json: String, found: String) throws {
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
