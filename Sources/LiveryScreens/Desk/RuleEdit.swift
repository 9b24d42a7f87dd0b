// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigRules
import ConfigWire
import RemoteConfig

/// The edit of a rule: the rule of the key, the draft, and the effect of the draft on users.
struct RuleEdit: Sendable {
    /// The inputs of the effect.
    private struct Inputs: Hashable {
        var now: EntryValue?
        var staged: KeyChange?
        var shared: EntryValue?
        var defaultValue: EntryValue?
        var context: EvaluationContext?
    }

    private let key: String
    /// The rule that the draft starts from; `nil` for none.
    private(set) var base: EntryValue?
    /// `nil` if the rule cannot be edited as shares.
    private(set) var draft: Rollout?
    /// The reason why there is no draft, or why the draft cannot be evaluated.
    private(set) var problem: String?
    /// The rules as they are evaluated.
    private(set) var rules: (now: ConfigRule?, then: ConfigRule?)
    var tally: RuleTally
    private var original: Rollout?
    private var inputs = Inputs()
    private var seconds: Int

    init(of key: String, in state: PanelState) {
        self.key = key
        seconds = state.demo.time.seconds
        tally = RuleTally(of: key, now: nil, then: nil, defaultValue: nil, like: nil, at: seconds)
        take(state)
        load()
        count()
    }

    /// The rule that the key has now.
    var now: EntryValue? { inputs.now }
    var defaultValue: EntryValue? { inputs.defaultValue }
    var isChanged: Bool { draft != original }

    /// Takes in the current rule, or the staged one. A draft without changes follows it.
    ///
    /// - Returns: whether the rule under a changed draft is another one now.
    mutating func update(_ state: PanelState) -> Bool {
        let former = inputs
        take(state)
        if inputs == former { return false }
        defer { count() }
        guard inputs.now != former.now || inputs.staged != former.staged else { return false }
        // A finished rollout leaves the value of the draft, and no rule.
        let isFinished = inputs.now == nil && end?.changes.values.isEmpty == true
        if isChanged, !isFinished, draft?.rule != start { return inputs.now != former.now }
        load()
        return false
    }

    private mutating func take(_ state: PanelState) {
        let held = { (name: String) in state.snapshot.held(EntryKind.rule.key(of: name))?.value }
        inputs.now = held(key)
        inputs.staged = state.desk.staged[EntryKind.rule.key(of: key)]
        inputs.shared = held(EntryKind.sharedRules)
        inputs.defaultValue = state.configuration.defaultValue(forKey: key)
        inputs.context = state.users.context
        seconds = state.demo.time.seconds
    }

    /// The rule that an edit begins with.
    private var start: EntryValue? { inputs.staged.map(\.new) ?? inputs.now }

    /// Starts the draft from the current rule, after a conflict.
    mutating func rebase(on rule: EntryValue?) { base = rule }

    private mutating func load() {
        (base, draft, problem) = (inputs.staged.map(\.old) ?? inputs.now, nil, nil)
        do throws(ConfigError) {
            draft = try Rollout(start, defaultValue: inputs.defaultValue)
        } catch {
            problem = error.message
        }
        original = draft
    }

    mutating func change(_ body: (inout Rollout) -> Void) {
        guard var changed = draft else { return }
        body(&changed)
        draft = changed
        count()
    }

    /// Adds a variant, or gives one another value.
    ///
    /// - Parameter text: `name=value`, or `name:=JSON`.
    /// - Returns: the index of the variant.
    mutating func setVariant(_ text: String) throws(ConfigError) -> Int {
        guard let (name, text, isJSON) = TypedAssignment.parts(of: text) else {
            throw ConfigError(.typeMismatch, "expected a name and a value, such as blue=#0000FF")
        }
        guard var changed = draft else { return 0 }
        let former = changed.parts.first { $0.name.hasSameScalars(as: name) } ?? changed.parts.last
        let kind = former.map { ValueKind(of: $0.value) } ?? .string
        let value = isJSON ? try JSONText.value(of: text, isOfKey: false) : try kind.value(text)
        let index = try changed.set(name, value)
        draft = changed
        count()
        return index
    }

    /// Starts the count of users again.
    private mutating func count() {
        let then = draft.map { isChanged ? $0.rule : start } ?? start
        rules = (nil, nil)
        do throws(ConfigError) {
            rules.now = try compiled(inputs.now)
            rules.then = try compiled(then)
            if draft != nil { problem = nil }
        } catch {
            problem = error.violations.first?.words ?? error.message
        }
        let (value, context) = (inputs.defaultValue, inputs.context)
        tally = RuleTally(of: key, now: rules.now, then: rules.then, defaultValue: value, like: context, at: seconds)
    }

    private func compiled(_ rule: EntryValue?) throws(ConfigError) -> ConfigRule? {
        guard let rule else { return nil }
        var contents = NamespaceContents()
        contents.rules = [key: rule]
        contents.rules[EntryKind.sharedRules] = inputs.shared
        return try contents.rule(ofKey: key)
    }

    /// The end of the rollout as drafted; `nil` unless one variant has all users.
    var end: RolloutEnd? {
        // Any other draft has shares to publish, not an error to report.
        guard let draft, draft.replaced == nil else { return nil }
        return try? RolloutEnd(of: key, rule: base, draft: draft.rule, defaultValue: defaultValue)
    }

    /// The proposed message for the history, such as `Roll out blue to 25 % on banner`.
    var message: String {
        guard let draft else { return "" }
        let parts = draft.parts.indices.dropLast().map { "\(draft.parts[$0].name) to \(draft.share(of: $0))" }
        return parts.isEmpty ? "" : "Roll out \(parts.prefix(3).joined(separator: ", ")) on \(key)"
    }
}
