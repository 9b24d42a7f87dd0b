internal import ConfigModel
internal import ConfigStore
internal import Testing

extension StoreLaw {
    static let rollbackLaws = [
        StoreLaw("a rollback is a new revision that equals an old one, deleted keys included") { bench in
            try await bench.edit(["stays": .integer(1), "goes": .integer(1), "changes": .integer(1)])
            let then = try await bench.values()
            try await bench.edit(["goes": nil, "changes": .integer(2), "comes": .integer(2)])
            let commit = try #require(try await bench.publish(.rollback(to: 1), author: "ana").commit)
            #expect(commit.revision == 3)
            #expect(Set(commit.changes.keys) == ["goes", "changes", "comes"])
            #expect(try await bench.values() == then)
            let history = try await bench.store.history(of: "default", key: nil, before: nil, limit: 3)
            #expect(history.allSatisfy { $0.revision == 3 && $0.author == "ana" })
            #expect(try await bench.publish(.rollback(to: 2)).commit?.revision == 4)
            #expect(try await bench.values()["comes"] == .integer(2))
        },
        StoreLaw("a rollback to the present state changes nothing") { bench in
            try await bench.edit(["a": .integer(1)])
            try await bench.edit(["b": .integer(1)], in: "other")
            #expect(try await bench.publish(.rollback(to: 1)) == .unchanged)
            #expect(try await bench.publish(.rollback(to: 2)) == .unchanged)
            #expect(try await bench.publish(.rollback(to: 0), in: "unknown") == .unchanged)
        },
        StoreLaw("a rollback touches its namespace only") { bench in
            try await bench.edit(["a": .integer(1)])
            try await bench.edit(["a": .integer(1)], in: "other")
            try await bench.edit(["a": .integer(2)])
            try await bench.edit(["a": .integer(2)], in: "other")
            #expect(try await bench.publish(.rollback(to: 2)).commit != nil)
            #expect(try await bench.values() == ["a": .integer(1)])
            #expect(try await bench.values(in: "other") == ["a": .integer(2)])
        },
        StoreLaw("a rollback to revision 0 empties the namespace") { bench in
            try await bench.edit(["a": .integer(1), "b": .integer(1)])
            #expect(try await bench.publish(.rollback(to: 0)).commit?.changes == ["a": nil, "b": nil])
            #expect(try await bench.values().isEmpty)
        },
        StoreLaw("a rollback to a revision that is not yet is refused") { bench in
            try await bench.edit(["a": .integer(1)])
            #expect(try await bench.publish(.rollback(to: 2)) == .unknownRevision(2))
            #expect(try await bench.publish(.rollback(to: .max)) == .unknownRevision(.max))
        },
        StoreLaw("a rollback keeps its conditions") { bench in
            try await bench.edit(["a": .integer(1)])
            try await bench.edit(["a": .integer(2)])
            #expect(try await bench.publish(.rollback(to: 1), if: [.head(1)]) == .conditionFailed(.head(1)))
        },
    ]
}
