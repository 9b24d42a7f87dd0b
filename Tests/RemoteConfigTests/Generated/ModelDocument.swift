// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import ConfigWire
import RemoteConfig
import RemoteConfigTesting
import TestSupport

/// A condition of a rule, as the model has it.
enum ModelCondition: Equatable {
    case isTier(String)
    case isUser([String])
    /// The time has come, in seconds since 1970.
    case since(Int)
    /// A shared evaluator.
    case reference(String)
    /// An unknown operator.
    case broken

    var json: EntryValue {
        switch self {
        case .isTier(let tier): ["==": [["var": "tier"], .string(tier)]]
        case .isUser(let users): ["in": [["var": "targetingKey"], .array(users.map { .string($0) })]]
        case .since(let time): [">=": [["var": "$flagd.timestamp"], .integer(time)]]
        case .reference(let name): ["$ref": .string(name)]
        case .broken: ["no_such_operator": [1]]
        }
    }

    /// - Returns: `nil` if the rule cannot be read.
    func holds(_ user: ModelUser, at time: Int, _ evaluators: [String: ModelCondition]) -> Bool? {
        switch self {
        case .isTier(let tier): user.tier == tier
        case .isUser(let users): users.contains(user.name)
        case .since(let instant): time >= instant
        case .reference(let name): evaluators[name]?.holds(user, at: time, evaluators)
        case .broken: nil
        }
    }
}

/// A user of a program.
struct ModelUser: Hashable {
    let name: String
    let tier: String?

    static let all = [
        ModelUser(name: "ada", tier: "gold"), ModelUser(name: "bob", tier: "silver"), ModelUser(name: "eve", tier: nil),
    ]

    var context: EvaluationContext {
        EvaluationContext(targetingKey: name, tier.map { ["tier": .string($0)] } ?? [:])
    }
}

/// A rule of a key: a variant if a condition holds, another one or the default variant otherwise.
struct ModelRule: Equatable {
    var isOn = true
    var variants: [String: EntryValue]
    var defaultVariant: String?
    var condition: ModelCondition?
    var then = "x"
    var otherwise: String?

    var json: EntryValue {
        var members: [String: EntryValue] = [
            "state": isOn ? "ENABLED" : "DISABLED",
            "variants": .object(EntryObject(variants.map { (key: $0.key, value: $0.value) })),
        ]
        members["defaultVariant"] = defaultVariant.map { .string($0) }
        if let condition {
            let branches = [condition.json, .string(then)] + (otherwise.map { [.string($0)] } ?? [])
            members["targeting"] = ["if": .array(branches)]
        }
        return .object(EntryObject(members.map { (key: $0.key, value: $0.value) }))
    }

    /// - Returns: `nil` if the rule gives nothing, or fails.
    func value(for user: ModelUser, at time: Int, _ evaluators: [String: ModelCondition]) -> EntryValue? {
        guard isReadable(evaluators), isOn else { return nil }
        let isChosen = condition.map { $0.holds(user, at: time, evaluators) == true }
        let variant = isChosen == true ? then : isChosen == false ? otherwise : nil
        return (variant ?? defaultVariant).flatMap { variants[$0] }
    }

    func isReadable(_ evaluators: [String: ModelCondition]) -> Bool {
        condition.map { $0.holds(ModelUser.all[0], at: 0, evaluators) != nil } ?? true
    }
}

/// The contents of one layer.
struct ModelDocument: Equatable {
    /// How the contents reach the program.
    enum Form: CaseIterable {
        /// A document in which objects are branches of the keys; it has no rules.
        case plain
        /// A document in which an object is the value of its key.
        case exact
        /// The state of a server.
        case server
    }

    var form = Form.exact
    var values: [String: EntryValue] = [:]
    var rules: [String: ModelRule] = [:]
    var evaluators: [String: ModelCondition] = [:]

    /// The values of the keys for a user; without one, no rule is evaluated.
    func entries(for user: ModelUser?, at time: Int) -> [String: EntryValue] {
        var entries = form == .plain ? flattened : values
        guard let user else { return entries }
        for (key, rule) in rules {
            if let value = rule.value(for: user, at: time, evaluators) { entries[key] = value }
        }
        return entries
    }

    private var flattened: [String: EntryValue] {
        var flat: [String: EntryValue] = [:]
        func add(_ value: EntryValue, at key: String) {
            guard case .object(let members) = value else { return flat[key] = value }
            for member in members { add(member.value, at: "\(key).\(member.key)") }
        }
        for (key, value) in values { add(value, at: key) }
        return flat
    }

    /// The keys whose rules cannot be read.
    var unreadableRules: [String] { rules.filter { !$0.value.isReadable(evaluators) }.map(\.key) }

    private var ruleEntries: [String: EntryValue] {
        var entries = rules.mapValues(\.json)
        if !evaluators.isEmpty {
            let members = evaluators.map { (key: $0.key, value: $0.value.json) }
            entries["$evaluators"] = .object(EntryObject(members))
        }
        return entries
    }

    /// The document as a program's default.
    func document(named name: String) throws(ConfigError) -> ConfigDocument {
        func object(_ members: [String: EntryValue]) -> EntryValue {
            .object(EntryObject(members.map { (key: $0.key, value: $0.value) }))
        }
        let json =
            form == .plain
            ? object(values) : ["livery": 1, "entries": object(values), "rules": object(ruleEntries)]
        return try ConfigDocument(json: Array(json.canonicalJSON.utf8), source: name)
    }

    func content(named name: String, revision: UInt64) throws(ConfigError) -> SourceReading.Content {
        guard form == .server else { return .document(try document(named: name)) }
        var entries = values
        for (key, rule) in ruleEntries { entries[EntryKind.rule.key(of: key)] = rule }
        let cursor = RevisionCursor(epoch: Epoch(rawValue: 7), revision: revision)
        return .snapshot(try ServerSnapshot(values: entries, isExact: true, at: cursor, from: name))
    }
}

extension ModelDocument: CustomStringConvertible {
    var description: String {
        let values = values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.canonicalJSON)" }
        let rules = rules.sorted { $0.key < $1.key }.map { "rule \($0.key)=\($0.value.json.canonicalJSON)" }
        let shared = evaluators.sorted { $0.key < $1.key }.map { "$\($0.key)=\($0.value.json.canonicalJSON)" }
        return "\(form) {\((values + rules + shared).joined(separator: "; "))}"
    }
}

// Random documents, small enough that the layers collide.
extension ModelDocument {
    static let keys = ["a", "a.b", "a.c", "k", "m"]
    private static let scalars: [EntryValue] = [
        "x", "y", 1, 2, 1, 2, 1.5, true, false, [1, 2], ["x"], ["x", 1], .array([]),
    ]
    private static let objects: [EntryValue] = [
        ["b": 1], ["b": 5, "c": 2], ["b": "x", "c": 2], ["b": "x"], ["c": 1], ["b": ["d": 1]], ["b": ["d": 2, "e": 1]],
        ["b": 1, "c": "y"], .object(EntryObject()),
    ]
    /// The times that rules name, in seconds after the start.
    static let instants = [10, 20, 30, 50, 80]
    static let start = 1_577_836_800

    static func random(using random: inout SeededGenerator, noRules: Bool = false) -> ModelDocument {
        var document = ModelDocument()
        document.form = Form.allCases.randomElement(using: &random) ?? .exact
        for _ in 0..<Int.random(in: 0...3, using: &random) { document.change(using: &random) }
        return document
    }

    static func value(for key: String, using random: inout SeededGenerator) -> EntryValue {
        let isObject =
            key == "a" ? Int.random(in: 0..<3, using: &random) > 0 : Int.random(in: 0..<6, using: &random) == 0
        let pool = isObject ? objects : key.hasPrefix("a.") && Bool.random(using: &random) ? [1, 2, 3] : scalars
        return pool.randomElement(using: &random) ?? 1
    }

    /// Sets, removes or replaces one thing.
    mutating func change(using random: inout SeededGenerator) {
        let key = Self.keys.randomElement(using: &random) ?? "k"
        let former = self
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<6: values[key] = Self.value(for: key, using: &random)
        case 6: values[key] = nil
        case 7..<10 where form != .plain: rules[key] = .random(for: key, using: &random)
        case 10 where form != .plain: rules[key] = nil
        case 11 where form != .plain:
            let name = ["e", "f"].randomElement(using: &random) ?? "e"
            evaluators[name] = Bool.random(using: &random) ? .random(isShared: true, using: &random) : nil
        default: form = Form.allCases.randomElement(using: &random) ?? .exact
        }
        if form == .plain { (rules, evaluators) = ([:], [:]) }
        // A document has each value once. Now and then it has one twice, which is an error for readers of the object.
        if hasConflict, form == .plain || Int.random(in: 0..<8, using: &random) > 0 { self = former }
    }

    /// Whether two entries have the same path, or a value has keys below it, for any user.
    private var hasConflict: Bool {
        let all =
            [entries(for: nil, at: 0)]
            + ModelUser.all.flatMap { user in
                ([0] + Self.instants.map { Self.start + $0 }).map { entries(for: user, at: $0) }
            }
        if form == .plain, let object = values["a"]?.members {
            if !object.isEmpty, values["a.b"] != nil || values["a.c"] != nil { return true }
        }
        return all.contains { ModelNode.ofLayer(0, $0, at: []).map(\.hasConflict) == true }
    }
}

extension EntryValue {
    /// The members of an object.
    var members: EntryObject? { if case .object(let members) = self { members } else { nil } }
}

extension ModelCondition {
    static func random(isShared: Bool = false, using random: inout SeededGenerator) -> ModelCondition {
        switch Int.random(in: 0..<(isShared ? 5 : 9), using: &random) {
        case 0, 1: .isTier(["gold", "silver"].randomElement(using: &random) ?? "gold")
        case 2: .isUser([["ada"], ["bob", "eve"], ["eve"]].randomElement(using: &random) ?? [])
        case 3, 4: .since(ModelDocument.start + (ModelDocument.instants.randomElement(using: &random) ?? 0))
        case 5..<8: .reference(["e", "f"].randomElement(using: &random) ?? "e")
        default: .broken
        }
    }
}

extension ModelRule {
    static func random(for key: String, using random: inout SeededGenerator) -> ModelRule {
        func value() -> EntryValue { ModelDocument.value(for: key, using: &random) }
        let first = value()
        var second = value()
        // All variants of a rule are of one kind.
        for _ in 0..<20 where second.kindName != first.kindName { second = value() }
        if second.kindName != first.kindName { second = first }
        var rule = ModelRule(variants: ["x": first, "y": second])
        rule.isOn = Int.random(in: 0..<8, using: &random) > 0
        rule.defaultVariant = [nil, "x", "y"].randomElement(using: &random) ?? nil
        if Int.random(in: 0..<5, using: &random) > 0 || rule.defaultVariant == nil {
            rule.condition = .random(using: &random)
            rule.otherwise = [nil, "y", "y"].randomElement(using: &random) ?? nil
            if Int.random(in: 0..<12, using: &random) == 0 { (rule.then, rule.otherwise) = ("none", "none") }
        }
        return rule
    }
}
