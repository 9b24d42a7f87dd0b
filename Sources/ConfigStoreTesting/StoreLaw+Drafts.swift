// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import Testing

extension StoreLaw {
    /// Publishes with a companion or a gate, alone and in the order of a batch.
    static let draftLaws = [
        StoreLaw("a companion in a batch is made with its publish, or neither is") { bench in
            try await bench.edit(["k": 1])
            let opened = try await bench.edit(["d.state": ["state": "open"], "d.content": 1], in: "~default")
            let applied = Publish.applying(["k": 2], at: opened.revision)
            // The same again, as a server sends it that has not received the answer; and one whose own condition fails.
            let stale = Publish.applying(["k": 3], at: opened.revision + 2, if: [.entry(key: "k", revisions: [1])])
            let outcomes = try await bench.store.commit([applied, applied, stale])
            #expect(outcomes[1] == .conditionFailed(.entry(key: "d.state", revisions: [opened.revision])))
            #expect(outcomes[2] == .conditionFailed(.entry(key: "k", revisions: [1])))
            guard case .joined(at: 3, let commits) = outcomes[0] else {
                Issue.record("not joined: \(outcomes[0])")
                return
            }
            #expect(commits.map(\.revision) == [3, 4] && commits.map(\.namespace) == ["default", "~default"])
            #expect(commits.map(\.previous) == [1, 2])
            let contents = try await bench.reopen()
            #expect(contents.problem == nil && contents.head.revision == 4)
            #expect(contents.namespaces["default"]?.entries["k"]?.value == 2)
            let state = contents.namespaces["~default"]?.entries["d.state"]
            #expect(state?.value == ["state": "applied", "revision": 3] && state?.revision == 4)
            let records = try await bench.store.history(HistoryQuery(of: "~default", limit: 1))
            #expect(records.map(\.author) == ["ana"] && records.map(\.message) == ["why"])
        },
        StoreLaw("a companion is not stamped if its publish changes nothing") { bench in
            try await bench.edit(["k": 1])
            let opened = try await bench.edit(["d.state": ["state": "open"]], in: "~default")
            let outcome = try await bench.store.commit([.applying(["k": 1], at: opened.revision)])[0]
            #expect(outcome.revision == 1 && outcome.commits.map(\.namespace) == ["~default"])
            let contents = try await bench.reopen()
            #expect(contents.namespaces["default"]?.revision == 1)
            #expect(contents.namespaces["~default"]?.entries["d.state"]?.value == ["state": "applied"])
        },
        StoreLaw("a publish that violates a schema leaves its companion") { bench in
            try await bench.edit(["schema:k": ["type": "string"]])
            let opened = try await bench.edit(["d.state": ["state": "open"]], in: "~default")
            #expect(try await bench.store.commit([.applying(["k": 1], at: opened.revision)])[0].violations != nil)
            #expect(try await bench.reopen().head.revision == 2)
        },
        StoreLaw("a gate in a batch refuses protected keys, and every write under another policy") { bench in
            var policy = ReviewPolicy()
            (policy.direct, policy.protected) = (.deny, ["app.*"])
            let stored = try await bench.edit([ReviewPolicy.key: policy.stored], in: "~default")
            try await bench.edit(["app.kept": 1])
            func publish(_ values: [String: EntryValue?], _ policyRevision: UInt64?) -> Publish {
                var publish = Publish(namespace: "default", change: .edit(values))
                publish.gate = ReviewGate(
                    namespace: "~default",
                    revision: policyRevision ?? 0,
                    policyRevision: policyRevision,
                    policy: policy
                )
                return publish
            }
            let other = Publish(namespace: "~default", change: .edit(["d.state": 1]))
            let weaker = Publish(namespace: "~default", change: .edit([ReviewPolicy.key: nil]))
            let rules: [String: EntryValue?] = ["rule:app.b": ["variants": ["a": 1], "defaultVariant": "a"]]
            let outcomes = try await bench.store.commit([
                publish(["app.a": 1, "free": 1], stored.revision), publish(["free": 1], stored.revision),
                publish(["app.kept": nil], stored.revision), publish(rules, stored.revision),
                // It changes nothing.
                publish(["app.kept": 1], stored.revision),
                publish(["free": 2], nil), other, publish(["free": 3], stored.revision), weaker,
                publish(["free": 4], stored.revision), publish(["free": 5], nil),
            ])
            #expect(outcomes[0] == .reviewRequired(["app.a"]) && outcomes[2] == .reviewRequired(["app.kept"]))
            #expect(
                outcomes[3] == .reviewRequired(["rule:app.b"]) && outcomes[5] == .outdated && outcomes[9] == .outdated
            )
            #expect(outcomes.compactMap(\.commit).map(\.revision) == [3, 4, 5, 6, 7])
            #expect(try await bench.values() == ["app.kept": 1, "free": 5])
        },
        StoreLaw("an entry of drafts can be as large as a draft") { bench in
            let text = EntryValue.string(String(repeating: "ä", count: 30_000))
            let operations = (0..<17).map { ("k\($0)", text) }
            let content = EntryValue.object(EntryObject(operations))
            let opened = try await bench.edit(["d.content": content, "d.state": ["state": "open"]], in: "~default")
            let values = operations.reduce(into: [String: EntryValue?]()) { $0[$1.0] = .some($1.1) }
            #expect(try await bench.store.commit([.applying(values, at: opened.revision)])[0].commits.count == 2)
            #expect(try await bench.reopen().namespaces["~default"]?.entries["d.content"]?.value == content)
        },
    ]
}

extension Publish {
    /// The publish that applies a draft whose state has a revision.
    fileprivate static func applying(
        _ values: [String: EntryValue?],
        at revision: UInt64,
        if conditions: [Condition] = []
    ) -> Publish {
        var publish = Publish(
            namespace: "default",
            change: .edit(values),
            conditions: conditions,
            author: "ana",
            message: "why"
        )
        publish.companion = Companion(
            namespace: "~default",
            edits: ["d.state": ["state": "applied"]],
            conditions: [.entry(key: "d.state", revisions: [revision])],
            stampedKey: "d.state"
        )
        return publish
    }
}
