// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import Testing

extension StoreLaw {
    static let entryLaws = [
        StoreLaw("every value is stored exactly") { bench in
            let edits = Dictionary(uniqueKeysWithValues: difficultValues.enumerated().map { ("v\($0)", $1) })
            try await bench.edit(edits.mapValues(Optional.some))
            #expect(try await bench.values() == edits)
            #expect(try await bench.reopen().namespaces["default"]?.entries.mapValues(\.value) == edits)
            let history = try await bench.history()
            for record in history { #expect(record.value == edits[record.key]) }
            #expect(history.count == edits.count)
        },
        StoreLaw("keys are case-sensitive and compared exactly") { bench in
            let keys = ["key", "Key", "KEY", "key.a", "key_a", "key-a", "key1", String(repeating: "k", count: 128)]
            let edits = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, EntryValue.integer($0)) })
            try await bench.edit(edits.mapValues(Optional.some))
            #expect(try await bench.values() == edits)
            try await bench.edit(["Key": nil, "key_a": nil])
            #expect(Set(try await bench.values().keys) == Set(keys).subtracting(["Key", "key_a"]))
        },
        StoreLaw("namespaces are isolated") { bench in
            try await bench.edit(["a": .integer(1)], in: "one")
            try await bench.edit(["a": .integer(2)], in: "two")
            try await bench.edit(["a": nil], in: "one")
            #expect(try await bench.values(in: "one").isEmpty)
            #expect(try await bench.values(in: "two") == ["a": .integer(2)])
            #expect(try await bench.history(of: "two").count == 1)
            #expect(try await bench.history(of: "three").isEmpty)
        },
        StoreLaw("an entry keeps its unique id and its creation date until it is removed") { bench in
            let first = try await bench.edit(["a": .integer(1), "b": .integer(1)])
            bench.clock.advance(by: 1000)
            let changed = try await bench.edit(["a": .integer(2)])
            let (old, new) = try (first.entry("a"), changed.entry("a"))
            #expect(new.id == old.id)
            #expect(new.createdAt == first.updatedAt)
            #expect(new.updatedAt == changed.updatedAt)
            #expect(new.revision == changed.revision)
            try await bench.edit(["a": nil])
            let added = try await bench.edit(["a": .integer(3)])
            let other = try await bench.edit(["a": .integer(3)], in: "other")
            let ids = try [first.entry("a"), first.entry("b"), added.entry("a"), other.entry("a")].map(\.id)
            #expect(Set(ids).count == 4)
            #expect(ids.allSatisfy { $0 > 0 })
            #expect(try added.entry("a").createdAt == added.updatedAt)
        },
        StoreLaw("ids are never reused, even after the store is reopened") { bench in
            let id = try await bench.edit(["a": .integer(1)]).entry("a").id
            try await bench.edit(["a": nil])
            _ = try await bench.reopen()
            #expect(try await bench.edit(["b": .integer(1)]).entry("b").id > id)
        },
    ]

    /// Values that a careless store changes.
    private static let difficultValues: [EntryValue] = [
        .string(""), .string("Meeeeoowwww! 😸"), .string("'; DROP TABLE entries; --"), .string("\"quoted\" \\ back"),
        .string("nul \0 inside"), .string("\u{1}\u{1f}\u{7f}\u{2028}\u{feff}"), .string("e\u{301}"), .string("\u{e9}"),
        .string("null"), .string("1"), .string("👩‍👩‍👧‍👦 🇪🇸"), .string(String(repeating: "x", count: 65_533)),
        .string("?%_$1 :name"),
        .integer(0), .integer(EntryValue.maximumInteger), .integer(-EntryValue.maximumInteger),
        .double(0.1), .double(1e300), .double(.leastNonzeroMagnitude), .double(-1.7976931348623157e308),
        .double(0.1 + 0.2),
        .boolean(true), .boolean(false), [], ["", "a,b", "\n"], [1, -2], [0.5, 1e22], [true, false],
        [.null, [], [[1]]],
        [:], ["": .null, "e\u{301}": 1, "\u{e9}": 2, "😸": ["a": [["b": "'; --"]]], "\u{ffff}": "\0"],
        .array(Array(repeating: "x", count: 16_383)),
    ]
}

extension Commit {
    /// The entry that the commit made of a key.
    fileprivate func entry(_ key: String) throws -> StoredEntry {
        try #require(changes[key] ?? nil)
    }
}
