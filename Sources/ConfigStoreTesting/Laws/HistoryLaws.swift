internal import ConfigModel
internal import ConfigStore
internal import Testing

extension StoreLaw {
    static let historyLaws = [
        StoreLaw("history tells newest first what happened, with author, message and tombstones") { bench in
            let first = try #require(
                try await bench.publish(.edit(["a": .integer(1)]), author: "ana", message: "first\0 \"one\" 😸").commit
            )
            let second = try await bench.edit(["a": nil])
            let history = try await bench.store.history(of: "default", key: nil, before: nil, limit: 10)
            #expect(
                history == [
                    HistoryRecord(
                        revision: 2,
                        key: "a",
                        value: nil,
                        author: nil,
                        message: nil,
                        updatedAt: second.updatedAt
                    ),
                    HistoryRecord(
                        revision: 1,
                        key: "a",
                        value: .integer(1),
                        author: "ana",
                        message: "first\0 \"one\" 😸",
                        updatedAt: first.updatedAt
                    ),
                ]
            )
        },
        StoreLaw("history is paged by revision and filtered by key") { bench in
            for step in 1...9 { try await bench.edit(["k\(step % 2)": .integer(step)]) }
            let store = bench.store
            let all = try await store.history(of: "default", key: nil, before: nil, limit: 100)
            #expect(all.map(\.revision) == Array((1...9).reversed()))
            let page = try await store.history(of: "default", key: nil, before: 6, limit: 2)
            #expect(page == Array(all[4...5]))
            let odd = try await store.history(of: "default", key: "k1", before: 9, limit: 3)
            #expect(odd.map(\.revision) == [7, 5, 3])
            #expect(odd.allSatisfy { $0.key == "k1" })
            #expect(try await store.history(of: "default", key: "k", before: nil, limit: 3).isEmpty)
            #expect(try await store.history(of: "default", key: nil, before: 1, limit: 3).isEmpty)
            #expect(try await store.history(of: "default", key: nil, before: .max, limit: 1).count == 1)
        },
        StoreLaw("changes lead from any revision to any later one") { bench in
            var states: [[String: EntryValue]] = [[:]]
            var random = SplitMix(state: 7)
            while states.count <= 12 {
                let key = "k\(Int.random(in: 0..<4, using: &random))"
                let value = Bool.random(using: &random) ? EntryValue.integer(states.count) : nil
                guard try await bench.publish(.edit([key: value])).commit != nil else { continue }
                states.append(try await bench.values())
            }
            for after in states.indices {
                for through in after..<states.count {
                    let found = try await bench.store.changes(
                        in: "default",
                        after: UInt64(after),
                        through: UInt64(through)
                    )
                    let change = try #require(found)
                    #expect(states[after].applying(change) == states[through])
                }
            }
        },
        StoreLaw("changes have nothing of other namespaces, and nothing where nothing happened") { bench in
            try await bench.edit(["a": .integer(1)])
            try await bench.edit(["b": .integer(1)], in: "other")
            let nothing = NetChange(upserts: [:], deletes: [])
            #expect(try await bench.store.changes(in: "default", after: 1, through: 2) == nothing)
            #expect(try await bench.store.changes(in: "unknown", after: 0, through: 2) == nothing)
        },
    ]
}

extension [String: EntryValue] {
    func applying(_ change: NetChange) -> Self {
        merging(change.upserts) { $1 }.filter { !change.deletes.contains($0.key) }
    }
}
