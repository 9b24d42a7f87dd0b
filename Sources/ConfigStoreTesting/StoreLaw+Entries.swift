// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import Synchronization
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
        StoreLaw("what is read for a client is charged, and ends where there is no room for it") { bench in
            let text = EntryValue.string(String(repeating: "x", count: 1000))
            for step in 1...9 { try await bench.edit(["k\(step)": text]) }
            for step in 1...9 { try await bench.edit(["k\(step)": .integer(step)]) }
            func charge(_ room: Int) -> (ReadCharge, () -> Int) {
                let used = Mutex(0)
                let charge = ReadCharge { bytes in
                    used.withLock { used in
                        used += bytes
                        return used <= room
                    }
                }
                return (charge, { used.withLock { $0 } })
            }
            let query = HistoryQuery(of: "default", before: 10, limit: 5)
            let (ofPage, pageBytes) = charge(.max)
            #expect(try await bench.store.history(query, charging: ofPage).count == 5)
            #expect((5_000..<10_000).contains(pageBytes()), "\(pageBytes())")
            let (ofValues, valueBytes) = charge(.max)
            #expect(try await bench.store.values(in: "default", at: 9, charging: ofValues)?.count == 9)
            #expect((9_000..<18_000).contains(valueBytes()), "\(valueBytes())")
            let (few, _) = charge(3_000)
            await #expect(throws: StoreError.self) { _ = try await bench.store.history(query, charging: few) }
            let (none, _) = charge(3_000)
            let error = await #expect(throws: StoreError.self) {
                _ = try await bench.store.values(in: "default", at: 9, charging: none)
            }
            #expect(error?.code == .overBudget)
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
