// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import Synchronization
internal import Testing

extension StoreLaw {
    static let historyLaws = [
        StoreLaw("history lists changes newest first, with author, message and tombstones") { bench in
            let first = try #require(
                try await bench.publish(.edit(["a": .integer(1)]), author: "ana", message: "first\0 \"one\" 😸").commit
            )
            let second = try await bench.edit(["a": nil])
            let history = try await bench.history()
            try #require(history.count == 2)
            #expect(history.map(\.revision) == [2, 1])
            #expect(history.map(\.key) == ["a", "a"])
            #expect(history.map(\.value) == [nil, .integer(1)])
            #expect(history.map(\.author) == [nil, "ana"])
            #expect(history.map(\.message) == [nil, "first\0 \"one\" 😸"])
            #expect(history.map(\.updatedAt) == [second.updatedAt, first.updatedAt])
        },
        StoreLaw("history is paginated by revision and filtered by key") { bench in
            for step in 1...9 { try await bench.edit(["k\(step % 2)": .integer(step)]) }
            let all = try await bench.history()
            #expect(all.map(\.revision) == Array((1...9).reversed()))
            let page = try await bench.history(before: 6, limit: 2)
            #expect(page == Array(all[4...5]))
            let odd = try await bench.history(key: "k1", before: 9, limit: 3)
            #expect(odd.map(\.revision) == [7, 5, 3])
            #expect(odd.allSatisfy { $0.key == "k1" })
            #expect(try await bench.history(key: "k").isEmpty)
            #expect(try await bench.history(before: 1).isEmpty)
            #expect(try await bench.history(before: .max, limit: 1).count == 1)
        },
        StoreLaw("every past revision can be read") { bench in
            var states: [[String: EntryValue]] = [[:]]
            var random = SplitMix(state: 7)
            while states.count <= 12 {
                let key = "k\(Int.random(in: 0..<4, using: &random))"
                let value = Bool.random(using: &random) ? EntryValue.integer(states.count) : nil
                guard try await bench.publish(.edit([key: value])).commit != nil else { continue }
                states.append(try await bench.values())
                for (revision, state) in states.enumerated() {
                    #expect(try await bench.values(at: UInt64(revision)) == state)
                }
            }
            #expect(try await bench.store.values(in: "default", at: UInt64(states.count)) == nil)
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
        StoreLaw("changes since a revision contain only the changed keys of the namespace") { bench in
            try await bench.edit(["a": .integer(1)])
            try await bench.edit(["b": .integer(1)], in: "other")
            try await bench.edit(["c": .integer(1)])
            #expect(try await bench.store.values(in: "default", at: 1) == ["c": nil])
            #expect(try await bench.store.values(in: "default", at: 3) == [:])
            #expect(try await bench.store.values(in: "unknown", at: 0) == [:])
        },
    ]

    static let rollbackLaws = [
        StoreLaw("a rollback is a new revision with the contents of an old one, including removed keys") { bench in
            try await bench.edit(["stays": .integer(1), "goes": .integer(1), "changes": .integer(1)])
            let then = try await bench.values()
            try await bench.edit(["goes": nil, "changes": .integer(2), "comes": .integer(2)])
            let commit = try #require(try await bench.publish(.rollback(to: 1), author: "ana").commit)
            #expect(commit.revision == 3)
            #expect(Set(commit.changes.keys) == ["goes", "changes", "comes"])
            #expect(try await bench.values() == then)
            let history = try await bench.history(limit: 3)
            #expect(history.allSatisfy { $0.revision == 3 && $0.author == "ana" })
            #expect(try await bench.publish(.rollback(to: 2)).commit?.revision == 4)
            #expect(try await bench.values()["comes"] == .integer(2))
        }
    ]
}
