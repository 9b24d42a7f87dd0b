// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigRules
import ConfigWire
import Programs
import RemoteConfig
import TerminalUI

/// A key in full, on pages: its value with its origin, its schema, its rule, its history, and all of it as JSON.
struct KeyPage: ListContent {
    /// The pages.
    enum Page: Int, CaseIterable {
        case value, schema, rule, history, json

        var name: String {
            switch self {
            case .value: "Value"
            case .schema: "Schema"
            case .rule: "Rule"
            case .history: "History"
            case .json: "JSON"
            }
        }
    }

    let key: String
    let kind: PanelKind
    let title = "Inspector"
    var pages = ListPages(names: Page.allCases.map(\.name))
    private var state: PanelState
    private var facts: KeyFacts
    /// The shares of the rule, which are counted while they are shown.
    private var tally: RuleTally?

    init(_ key: String, _ kind: PanelKind, in state: PanelState) {
        (self.key, self.kind, self.state, facts) = (key, kind, state, KeyFacts(key, in: state))
        tally = Self.tally(of: key, by: facts.compiled, in: state)
    }

    private static func tally(of key: String, by rule: ConfigRule?, in state: PanelState) -> RuleTally? {
        rule.map { rule in
            let (context, seconds) = (state.users.context, state.demo.time.seconds)
            return RuleTally(of: key, now: rule, then: rule, defaultValue: nil, like: context, at: seconds)
        }
    }

    var backKeys: [Key] { [Key(.enter), Key(.left)] }
    var page: Page { Page(rawValue: pages.shown) ?? .value }

    /// The reads of the pages: the details from the start, since pages are turned at once.
    var needs: Set<OperatorRequest> {
        let abilities = state.desk.abilities
        var needs: Set<OperatorRequest> = []
        if abilities.allows(.details) { needs.insert(.details(key: key)) }
        if page == .history, abilities.allows(.history) { needs.insert(.history(of: key, before: nil)) }
        return needs
    }

    var commands: [ScreenCommand<PageAction>] {
        let value = facts.value.map { value in
            let copy = PageAction.request(.copy(value.plainText))
            return ScreenCommand(copy, [.character("y")], hint: "Copy", help: "Copy the value")
        }
        let name = PageAction.request(.copy(key))
        let prompt = PageAction.request(.toggle(.prompt(state.users.prompt)))
        let user = ScreenCommand(prompt, [.character("w")], hint: "User", help: "Evaluate the rule for a user")
        return KeyCommands.all(of: key, in: state, PageAction.request)
            + KeyCommands.views(of: key, page == .rule ? .rule : .value, in: state, PageAction.request)
            + [
                value, page == .rule || page == .value && facts.outcome != nil ? user : nil,
                ScreenCommand(name, [.character("Y")], hint: page == .value ? "Copy key" : "", help: "Copy the key"),
            ].compactMap(\.self)
    }

    /// The value, or on the last page everything, as JSON.
    var savedText: SaveRequest? {
        let value = page == .json ? facts.json(key) : facts.value
        return value.map { SaveRequest(path: "\(key).json", text: $0.prettyJSON) }
    }

    func isSidePanel(in size: Size) -> Bool { true }

    mutating func update(_ next: PanelState) -> Bool {
        let facts = KeyFacts(key, in: next)
        defer { (state, self.facts) = (next, facts) }
        if facts.compiled != self.facts.compiled || next.users.context != state.users.context {
            tally = Self.tally(of: key, by: facts.compiled, in: next)
        }
        return facts != self.facts
    }

    var isWorking: Bool { page == .rule && tally?.isComplete == false }

    mutating func continueWork() { tally?.countMore() }

    func sections(columns: Int) -> [[ListLine]] {
        let text = PageText(columns: columns, preview: state.preview, clock: state.look.clock)
        let lines =
            switch page {
            case .value: KeyValuePage(facts: facts).lines(text)
            case .schema: KeySchemaPage(facts: facts).lines(text)
            case .rule: KeyRulePage(facts: facts, tally: tally).lines(text)
            case .history: KeyHistoryPage(facts: facts).lines(text)
            case .json: text.json(facts.json(key))
            }
        return (text.wrapped(key, .title) + lines).map { [$0] }
    }
}

/// The facts that the pages of a key are made from.
struct KeyFacts: Equatable {
    var entry: ConfigEntry?
    var note: KeyNote?
    /// The former values since the start.
    var moments: [ChangeHistory.Moment]
    var explanation: [String]
    var rule: EntryValue?
    /// `nil` for a rule that cannot be read, which has the problem.
    var compiled: ConfigRule?
    var ruleProblem: String?
    /// The value of the user by the rule.
    var outcome: RuleOutcome?
    /// The place of the value of the user.
    var place: String?
    var user: String
    /// The value for a user that was typed, or for the context of the program.
    var value: EntryValue?
    /// `nil` while they are being read.
    var details: KeyDetails?
    var history: HistoryMessage?
    /// Why the details and the history cannot be shown.
    var detailsProblem: String?
    var historyProblem: String?

    init(_ key: String, in state: PanelState) {
        entry = state.snapshot.entries[key]
        note = state.demo.notes[key]
        moments = state.history[key]
        explanation = state.demo.tweaks.explanation(of: key)
        rule = state.snapshot.held(EntryKind.rule.key(of: key))?.value
        compiled = state.configuration.rule(forKey: key)
        user = state.users.label
        value = entry?.value
        if let compiled {
            let (context, seconds) = (state.users.context, state.demo.time.seconds)
            let outcome = state.configuration.outcome(of: key, by: compiled, in: context, at: seconds)
            (self.outcome, place) = (outcome, state.snapshot.place(of: outcome, forKey: key))
            if state.users.isTyped { value = outcome.value }
        } else {
            ruleProblem = state.configuration.ruleProblem(forKey: key)?.message
        }
        let (abilities, reads) = (state.desk.abilities, state.reads)
        let (foundDetails, foundHistory) = (reads.details(of: key), reads.history(of: key, before: nil))
        (details, history) = (foundDetails.answer, foundHistory.answer)
        detailsProblem = foundDetails.problem ?? abilities.reason(against: .details)
        historyProblem = foundHistory.problem ?? abilities.reason(against: .history)
    }

    /// Everything that is known about the key.
    func json(_ key: String) -> EntryValue {
        var members: [EntryObject.Member] = [("key", .string(key))]
        if let value = entry?.value { members.append(("value", value)) }
        if let revision = details?.revision.flatMap({ Int(exactly: $0) }) {
            members.append(("revision", .integer(revision)))
        }
        if let time = details?.createdAt { members.append(("created_at", .string(time.description))) }
        if let time = details?.updatedAt ?? entry?.changedAt {
            members.append(("updated_at", .string(time.description)))
        }
        if let author = details?.record?.author { members.append(("author", .string(author))) }
        if let message = details?.record?.message { members.append(("message", .string(message))) }
        if let rule = details?.rule ?? rule { members.append(("rule", rule)) }
        if let schema = details?.schema { members.append(("schema", schema)) }
        return .object(EntryObject(members))
    }
}
