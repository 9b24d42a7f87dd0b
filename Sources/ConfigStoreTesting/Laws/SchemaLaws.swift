internal import ConfigModel
internal import ConfigStore
internal import Testing

extension StoreLaw {
    static let schemaLaws = [
        StoreLaw("a value that breaks a schema is not written, nor anything beside it") { bench in
            try await bench.edit(["schema:app.*": ["type": "string"], "schema:app.size": ["maximum": 9]])
            let refused = try await bench.publish(.edit(["app.a": 1, "app.b": "b", "app.size": 10, "other": 1]))
            let violations = try #require(refused.violations)
            #expect(violations.map(\.key) == ["app.a", "app.size"])
            #expect(violations.map(\.schema) == ["app.*", "app.size"])
            #expect(violations.map(\.limit) == ["string", 9])
            #expect(violations.map(\.found) == [1, 10])
            #expect(refused.revision == nil)
            #expect(try await bench.values().count == 2)
            #expect(try await bench.load().head.revision == 1)
            try await bench.edit(["app.a": "a", "app.size": 9, "other": 1])
        },
        StoreLaw("a schema that a present value breaks is written only together with a value that keeps it") { bench in
            try await bench.edit(["app.a": 1, "app.b": "b", "appendix": 1])
            let schema: EntryValue = ["type": "string"]
            let refused = try await bench.publish(.edit(["schema:app.*": schema]))
            #expect(refused.violations?.map(\.key) == ["app.a"])
            #expect(try await bench.values()["schema:app.*"] == nil)
            try await bench.edit(["schema:app.*": schema, "app.a": "a"])
            let all = try await bench.publish(.edit(["schema:*": schema]))
            #expect(all.violations?.map(\.key) == ["appendix"])
            try await bench.edit(["schema:*": schema, "appendix": nil])
            #expect(try await bench.publish(.edit(["z": 1])).violations?.map(\.schema) == ["*"])
        },
        StoreLaw("where a schema is removed, the one of a shorter name counts") { bench in
            try await bench.edit([
                "schema:app.*": ["type": "string"], "schema:app.n": ["type": "integer"], "app.n": 1, "app.s": "s",
            ])
            let refused = try await bench.publish(.edit(["schema:app.n": nil]))
            #expect(refused.violations?.map(\.key) == ["app.n"])
            try await bench.edit(["schema:app.n": nil, "app.n": "one"])
            try await bench.edit(["schema:app.*": nil, "app.n": 1])
        },
        StoreLaw("what is no schema is not written") { bench in
            let refused = try await bench.publish(
                .edit(["schema:a": ["maxmum": 1], "schema:b": ["type": "text"], "c": 1])
            )
            let violations = try #require(refused.violations)
            #expect(violations.map(\.schema) == ["a", "b"])
            #expect(violations.map(\.pointer) == ["/maxmum", "/type"])
            #expect(violations.allSatisfy { $0.key == nil })
            #expect(try await bench.load().head.revision == 0)
        },
        StoreLaw("publishes of one batch see the schemas of those before them") { bench in
            let publishes = [
                ["schema:a": ["minimum": 5]], ["a": 4], ["a": 5], ["schema:a": ["minimum": 6]],
                ["schema:a": ["minimum": 6], "a": 7], ["a": 5], ["schema:a": nil], ["a": 5],
            ].map { (edits: [String: EntryValue?]) in Publish(namespace: "default", change: .edit(edits)) }
            let outcomes = try await bench.store.commit(publishes)
            #expect(outcomes.map { $0.violations?.first?.key } == [nil, "a", nil, "a", nil, "a", nil, nil])
            #expect(try await bench.values() == ["a": 5])
        },
        StoreLaw("schemas are in the history, and a rollback brings them back with the values") { bench in
            try await bench.edit(["schema:a.*": ["type": "integer"], "a.x": 1], in: "other")
            try await bench.edit(["schema:a.*": ["type": "string"], "a.x": "one"], in: "other")
            try await bench.edit(["schema:a.*": nil, "a.x": true], in: "other")
            #expect(
                try await bench.history(of: "other", key: "schema:a.*").map(\.value) == [
                    nil, ["type": "string"], ["type": "integer"],
                ]
            )
            #expect(try await bench.values(in: "other", at: 1) == ["schema:a.*": ["type": "integer"], "a.x": 1])
            let back = try #require(try await bench.publish(.rollback(to: 1), in: "other").commit)
            #expect(back.changes.keys.sorted() == ["a.x", "schema:a.*"])
            #expect(try await bench.publish(.edit(["a.x": "two"]), in: "other").violations?.count == 1)
            #expect(
                try await bench.reopen().namespaces["other"]?.entries.mapValues(\.value) == [
                    "schema:a.*": ["type": "integer"], "a.x": 1,
                ]
            )
            #expect(try await bench.publish(.edit(["a.x": "two"]), in: "other").violations?.count == 1)
        },
        StoreLaw("a schema is of one namespace, and may have the longest name") { bench in
            let name = String(repeating: "n", count: 126) + ".*"
            try await bench.edit(["schema:\(name)": ["type": "string"], "schema:a": ["type": "string"]])
            try await bench.edit(["a": 1], in: "other")
            let contents = try await bench.reopen()
            #expect(contents.namespaces["default"]?.entries.keys.sorted() == ["schema:a", "schema:\(name)"])
            #expect(try await bench.publish(.edit(["a": 1])).violations?.count == 1)
        },
    ]
}

extension PublishOutcome {
    fileprivate var violations: [ViolationMessage]? {
        if case .schemasBroken(let violations) = self { violations } else { nil }
    }
}
