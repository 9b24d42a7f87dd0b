// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import Testing

extension StoreLaw {
    /// Eight hundred random publishes with all that a publish may have, and after each batch the store and ``ReferenceStore`` agree,
    /// also once the store was closed and opened again.
    static let model = StoreLaw("random batches have the same results as in the in-memory store") { bench in
        var random = SplitMix(state: 42)
        let model = ReferenceStore(epoch: try await bench.load().head.epoch) { [clock = bench.clock] in clock.now }
        // Small batches, then some as a server under load makes them.
        var known = try await model.load()
        let sizes = (0..<60).map { _ in Int.random(in: 1...12, using: &random) } + [0, 200, 1, 130, 60]
        for (round, size) in sizes.enumerated() {
            // A clock may stop, be set back and be set right.
            let jump: ClosedRange<Int64> = round.isMultiple(of: 10) ? -86_400_000...100_000_000 : -50...500
            bench.clock.advance(by: .random(in: jump, using: &random))
            // A server may be a batch behind.
            if !round.isMultiple(of: 5) { known = try await model.load() }
            let batch = (0..<size).map { _ in Publish.random(knowing: known, using: &random) }
            let (outcomes, expected) = (try await bench.store.commit(batch), try await model.commit(batch))
            try #require(outcomes.map(\.withoutIDs) == expected.map(\.withoutIDs))
            let isReopened = round % 30 == 29 || round == sizes.count - 1
            let contents = try await isReopened ? bench.reopen() : bench.load()
            try #require(contents.withoutIDs == (try await model.load().withoutIDs))
            try await comparePast(of: bench.store, model, head: contents.head.revision, using: &random)
        }
        try await compareHistories(of: bench.store, model, head: model.load().head.revision, using: &random)
    }

    /// Compares the values that changes since a revision have replaced.
    private static func comparePast(
        of store: any EntryStore,
        _ model: ReferenceStore,
        head: UInt64,
        using random: inout SplitMix
    ) async throws {
        for namespace in ["default", "other", "~other", "unknown"] {
            let revision = UInt64.random(in: 0...head, using: &random)
            let values = try await store.values(in: namespace, at: revision)
            #expect(try await model.values(in: namespace, at: revision) == values)
            #expect(try await store.values(in: namespace, at: head + 1) == nil)
        }
    }

    private static func compareHistories(
        of store: any EntryStore,
        _ model: ReferenceStore,
        head: UInt64,
        using random: inout SplitMix
    ) async throws {
        for namespace in ["default", "other", "~other", "unknown"] {
            let all = HistoryQuery(of: namespace, limit: 10_000)
            let pages = (0..<20).map { _ in
                HistoryQuery(
                    of: namespace,
                    key: Bool.random(using: &random) ? Publish.key(using: &random) : nil,
                    before: [nil, .max, .random(in: 0...head, using: &random)].randomElement(using: &random) ?? nil,
                    limit: .random(in: 1...30, using: &random)
                )
            }
            for query in [all] + pages {
                let history = try await store.history(query)
                #expect(try await model.history(query) == history)
            }
        }
    }
}

extension Publish {
    /// - Parameter contents: by which the server has chosen its gate.
    static func random(knowing contents: StoreContents, using random: inout SplitMix) -> Publish {
        var publish = Publish(namespace: Bool.random(using: &random) ? "default" : "other", change: .edit([:]))
        if Int.random(in: 0..<12, using: &random) == 0 {
            publish.change = .rollback(to: .random(in: 0...600, using: &random))
        } else {
            var edits: [String: EntryValue?] = [:]
            for _ in 0..<Int.random(in: 0..<4, using: &random) {
                let value = Int.random(in: 0..<4, using: &random)
                edits[key(using: &random)] = value == 0 ? .some(nil) : .integer(value)
            }
            if Int.random(in: 0..<6, using: &random) == 0 {
                edits[EntryKind.schema.key(of: schemaName(using: &random))] = .some(schema(using: &random))
            }
            if Int.random(in: 0..<3, using: &random) == 0 {
                edits[EntryKind.rule.key(of: key(using: &random))] = .some(rule(using: &random))
            }
            if Int.random(in: 0..<12, using: &random) == 0 {
                edits[EntryKind.rule.key(of: EntryKind.sharedRules)] = .some(evaluators(using: &random))
            }
            publish.change = .edit(edits)
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            publish.conditions = (0..<Int.random(in: 1...2, using: &random)).map { _ in condition(using: &random) }
        }
        publish.author = Bool.random(using: &random) ? "ana" : nil
        publish.message = Bool.random(using: &random) ? "the first\0 \"one\" 😸" : nil
        switch Int.random(in: 0..<3, using: &random) {
        case 0: publish.companion = companion(of: publish.namespace, using: &random)
        case 1: publish.gate = gate(of: publish.namespace, in: contents, using: &random)
        default: break
        }
        return publish
    }

    /// Changes of a draft, and sometimes of the policy.
    private static func companion(of namespace: String, using random: inout SplitMix) -> Companion {
        let state = DraftNamespace.stateKey("d\(Int.random(in: 0..<3, using: &random))")
        let value: EntryValue? = [nil, "text", ["state": "applied"]].randomElement(using: &random) ?? nil
        var companion = Companion(namespace: DraftNamespace.name(for: namespace), edits: [state: value])
        if Bool.random(using: &random) { companion.stampedKey = state }
        if Int.random(in: 0..<3, using: &random) == 0 {
            let policies: [EntryValue?] = [nil, 1, 2]
            companion.edits[ReviewPolicy.key] = policies.randomElement(using: &random) ?? nil
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: companion.conditions = [.absent(key: state)]
        case 1:
            companion.conditions = [.entry(key: state, revisions: Set(1...UInt64.random(in: 1...900, using: &random)))]
        default: break
        }
        return companion
    }

    private static func gate(
        of namespace: String,
        in contents: StoreContents,
        using random: inout SplitMix
    ) -> ReviewGate {
        let store = DraftNamespace.name(for: namespace)
        let drafts = contents.namespaces[store]
        var policy = ReviewPolicy()
        policy.direct = .deny
        policy.protected = [["k1", "branch.*"], ["k2"], []].randomElement(using: &random) ?? []
        return ReviewGate(
            namespace: store,
            revision: drafts?.revision ?? 0,
            policyRevision: drafts?.entries[ReviewPolicy.key]?.revision,
            policy: Bool.random(using: &random) ? policy : nil
        )
    }

    fileprivate static func key(using random: inout SplitMix) -> String {
        "\(Bool.random(using: &random) ? "k" : "branch.k")\(Int.random(in: 0..<4, using: &random))"
    }

    private static func schemaName(using random: inout SplitMix) -> String {
        ["k1", "k2", "branch.k1", "branch.*", "*"].randomElement(using: &random) ?? "*"
    }

    /// Most published values match it; `nil` removes it, and sometimes it is not a valid schema.
    private static func schema(using random: inout SplitMix) -> EntryValue? {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: nil
        case 1: ["maxmum": 1]
        case 2: ["type": "string"]
        case 3: true
        default: ["maximum": .integer(.random(in: 1...3, using: &random))]
        }
    }

    /// Most of the rules can be evaluated; some have a variant that violates a schema, or use a missing evaluator; `nil`
    /// removes a rule.
    private static func rule(using random: inout SplitMix) -> EntryValue? {
        let variants: EntryValue = ["a": 1, "b": .integer(.random(in: 1...3, using: &random))]
        return switch Int.random(in: 0..<6, using: &random) {
        case 0: nil
        case 1: ["variants": variants, "defaultVariant": "c"]
        case 2: ["variants": variants, "targeting": ["if": [["$ref": "spanish"], "a", "b"]]]
        case 3: ["variants": variants, "targeting": ["fractional": [["a", 1], ["b", 3]]], "bucketing": "flagd-3"]
        default: ["variants": variants, "defaultVariant": "a"]
        }
    }

    private static func evaluators(using random: inout SplitMix) -> EntryValue? {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: nil
        case 1: ["spanish": ["is": "es"]]
        case 2: ["spanish": ["$ref": "spanish"]]
        default: ["spanish": ["==": [["var": "language"], "es"]]]
        }
    }

    private static func condition(using random: inout SplitMix) -> Condition {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: .head(.random(in: 0...300, using: &random))
        case 1: .absent(key: key(using: &random))
        case 2: .present(key: key(using: &random))
        default: .entry(key: key(using: &random), revisions: Set(1...UInt64.random(in: 1...400, using: &random)))
        }
    }
}

// The ids that a store assigns are not compared.
extension StoredEntry {
    fileprivate var withoutID: StoredEntry {
        var entry = self
        entry.id = 1
        return entry
    }
}

extension PublishOutcome {
    fileprivate var withoutIDs: PublishOutcome {
        switch self {
        case .committed(var commit):
            commit.changes = commit.changes.mapValues { $0?.withoutID }
            return .committed(commit)
        case .unchanged(let revision, let entries):
            return .unchanged(at: revision, entries: entries.mapValues(\.withoutID))
        case .joined(let revision, let commits):
            return .joined(
                at: revision,
                commits.map { commit in
                    var commit = commit
                    commit.changes = commit.changes.mapValues { $0?.withoutID }
                    return commit
                }
            )
        case .conditionFailed, .unknownRevision, .invalid, .outdated, .reviewRequired: return self
        }
    }
}

extension StoreContents {
    fileprivate var withoutIDs: StoreContents {
        var contents = self
        contents.namespaces = namespaces.mapValues { namespace in
            Namespace(revision: namespace.revision, entries: namespace.entries.mapValues(\.withoutID))
        }
        return contents
    }
}
