// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigRules
import RemoteConfig
import TerminalUI

/// The rule of a key as shares of users: an edit changes a draft, whose effect on users is counted, and which is then published.
struct RolloutScreen: ListPanel {
    enum Own: Hashable, Sendable {
        case publish, finish, stage, discard, add, change, remove, attribute, user, editRule, removeRule, history, leave
        /// Changes the share of the selected variant by hundredths of a percent.
        case step(Int)
        /// The track of a variant, so many columns wide.
        case track(Int, columns: Int)
    }

    let name = "Rule"
    let key: String
    let filtering = ListFiltering.none
    var size: Size {
        didSet { if size != oldValue { placeChanged() } }
    }
    var feedback = ""
    var list = ListState()
    private var state: PanelState
    private(set) var edit: RuleEdit { didSet { placeChanged() } }
    /// The lines on the effect of the draft, laid out once: the rule may be long.
    private var effect: [Line] = []
    /// The percentage that is being typed for a variant.
    private var typing = (variant: 0, text: "")
    /// The rule in the user's editor.
    private var external: ExternalEdit?

    private static let onePercent = 100
    private static let tenPercent = 1000

    init(_ key: String, _ state: PanelState, size: Size) {
        (self.key, self.state, self.size) = (key, state, size)
        edit = RuleEdit(of: key, in: state)
        placeChanged()
    }

    var kind: PanelKind { .rollout(key) }
    var keys: UserKeys { state.look.keys }
    var unsaved: String? { edit.isChanged && state.desk.abilities.allows(.rules) ? "the rule of \(key)" : nil }
    var isWorking: Bool { !edit.tally.isComplete }

    mutating func continueWork() { edit.tally.countMore() }

    mutating func update(_ next: PanelState) {
        state = next
        if edit.update(next) { feedback = "Another operator has changed the rule; Enter compares it with yours" }
        list.clamp(extent)
    }

    mutating func rebase(on change: KeyChange) {
        if change.heldKey == EntryKind.rule.key(of: key) { edit.rebase(on: change.old) }
    }

    private var draft: Rollout? { edit.draft }
    private var count: Int { draft?.parts.count ?? 0 }
    private var selected: Int { list.cursor }
    /// The percentage that is being typed; empty if none is.
    private var typed: String {
        get { typing.variant == selected ? typing.text : "" }
        set { typing = (selected, newValue) }
    }
}

// The input.
extension RolloutScreen {
    var actions: [ScreenCommand<Command>] {
        let reason = state.desk.abilities.reason(against: .rules)
        let help = { (text: String) in reason.map { "\(text): \($0)" } ?? text }
        let publishHelp = help("Review and publish the rule")
        var commands = [own(.publish, [Key(.enter)], publishHelp, hint: "Review", if: reason == nil)]
        if let variant = edit.end.map(\.variant) {
            let text = variant == nil ? "Remove the rule" : "Make the variant the value, and remove the rule"
            let hint = variant == nil ? "Remove" : "Make it the value"
            commands.append(own(.finish, [.character("F")], help(text), hint: hint))
        }
        if draft != nil { commands += draftCommands }
        return commands + [
            own(.stage, [UserKeys.stage], help("Stage the rule"), hint: "Stage", if: reason == nil),
            own(.discard, [UserKeys.discard], "Discard the changes of the rule"),
            own(.user, [.character("w")], "Evaluate the rule for a user", hint: "User"),
            own(.editRule, [.character("E")], "Edit the rule as JSON in $VISUAL, $EDITOR or vi"),
            own(.removeRule, [.character("d")], help("Remove the rule")),
            own(.history, [.character("h")], "List the changes of the rule"),
            own(.leave, keys.leave, "Return to the list"),
        ]
    }

    private var draftCommands: [ScreenCommand<Command>] {
        let (one, ten) = (Self.onePercent, Self.tenPercent)
        return [
            own(.step(one), [Key(.right), .character("+")], "Increase the share by 1 %", hint: "+1 %"),
            own(.step(-one), [Key(.left), .character("-")], "Decrease the share by 1 %", hint: "-1 %"),
            own(.step(ten), [Key(.right, .shift)], "Increase the share by 10 %"),
            own(.step(-ten), [Key(.left, .shift)], "Decrease the share by 10 %"),
            own(.add, [.character("a")], "Add a variant", hint: "Add"),
            own(.change, [.character("e")], "Edit the value of the variant"),
            own(.remove, [.character("x"), Key(.delete)], "Remove the variant"),
            own(.attribute, [.character("A")], "Set the attribute that splits users"),
        ]
    }

    var notes: [ScreenHelp] {
        [
            ScreenHelp("0-9, .", "Type the percentage of the variant"),
            ScreenHelp("Click, drag", "Set the share on a track"),
        ]
    }

    mutating func run(_ action: Own) -> ScreenResponse<DemoIntent> {
        typed = ""
        switch action {
        case .publish: return .done(publish())
        case .finish:
            guard let end = edit.end else { break }
            if let reason = state.desk.abilities.reason(against: .rules) { return .explain(reason) }
            let message = "\(end.title) of \(key)"
            var proposal = Proposal(title: end.title, changes: end.changes, message: message)
            proposal.action = .finishRollout
            return .done([.toggle(.review(proposal))])
        case .stage: return .done(publish().map(\.staging))
        case .discard: return discard()
        case .add: return .done([.toggle(.prompt(.variant("")))])
        case .change:
            guard let part = draft?.parts[selected] else { break }
            return .done([.toggle(.prompt(.variant(TypedAssignment.text(part.name, part.value))))])
        case .remove: remove()
        case .attribute:
            let choices = state.users.context?.attributes.map(\.key) ?? []
            return .done([.toggle(.prompt(.attribute(draft?.attribute ?? "", choices: choices)))])
        case .user: return .done([.toggle(.prompt(state.users.prompt))])
        case .editRule:
            let rule = ExternalEdit(key: EntryKind.rule.key(of: key), value: edit.now ?? draft?.rule)
            external = rule
            return .done([.edit(rule)])
        case .removeRule: return .done(review(nil, "Remove the rule", message: "Remove the rule of \(key)"))
        case .history: return .done([.toggle(.history(EntryKind.rule.key(of: key)))])
        case .leave: return .close
        case .step(let hundredths): setShare(toHundredths: (draft?.hundredths(of: selected) ?? 0) + hundredths)
        case .track(let index, _): list.select(index, extent)
        }
        return .handled
    }

    /// Sets the share of the selected variant, if it is not the one that gets the rest.
    private mutating func setShare(toHundredths hundredths: Int) {
        guard let draft else { return }
        if draft.isDefault(selected) {
            feedback = shareOfDefault
        } else {
            edit.change { [selected] in $0.setShare(of: selected, toHundredths: hundredths) }
        }
    }

    private var shareOfDefault: String {
        count == 1 ? "Press a to add a variant" : "The default variant gets the rest; select another one"
    }

    private mutating func remove() {
        guard let draft else { return }
        if draft.isDefault(selected) { return feedback = "The default variant cannot be removed" }
        edit.change { [selected] in $0.remove(at: selected) }
        list.select(selected, extent)
    }

    private func publish() -> [DemoIntent] {
        guard let draft else { return [.explain("The rule cannot be edited as shares; press E to edit it as JSON")] }
        return review(draft.rule, "Publish the rule", message: edit.message)
    }

    private func review(_ rule: EntryValue?, _ title: String, message: String) -> [DemoIntent] {
        if let reason = state.desk.abilities.reason(against: .rules) { return [.explain(reason)] }
        do throws(ConfigError) {
            if let rule, let value = edit.defaultValue { try ValueKind(of: value).checkVariants(of: rule) }
        } catch {
            return [.explain("\(error.message), the type of the value")]
        }
        let changes = ConfigDiff([KeyChange(key: key, kind: .rule, old: edit.base, new: rule)])
        guard !changes.isEmpty, rule == nil || edit.isChanged || rule != draft?.rule else {
            return [.explain("No changes")]
        }
        let action = rule == nil ? Proposal.Action.remove : .rule
        let proposal = Proposal(title: title, changes: changes, message: message, action: action)
        return [.toggle(.review(proposal))]
    }

    mutating func receive(_ prompt: Prompt, _ text: String) throws(ConfigError) {
        switch prompt {
        case .variant: list.select(try edit.setVariant(text), extent)
        case .attribute: edit.change { $0.attribute = text.isEmpty ? nil : text }
        default: break
        }
    }

    mutating func receive(_ outcome: ExternalEdit.Outcome) -> [DemoIntent] {
        guard let external, outcome.key == external.key else { return [] }
        self.external = nil
        do throws(ConfigError) {
            let rule = try external.value(of: try outcome.result.get())
            return review(rule, "Publish the rule", message: "Edit the rule of \(key)")
        } catch {
            return [.explain(error.description)]
        }
    }

    /// Digits type a percentage; nothing else in the list uses them.
    mutating func handle(_ key: Key) -> ScreenResponse<DemoIntent> {
        guard let draft, !key.isChord else { return .ignored }
        var text = typed
        switch key.code {
        case .character(let digit) where "0123456789.".contains(digit): text.append(digit)
        case .backspace where !typed.isEmpty: text.removeLast()
        default: return .ignored
        }
        if draft.isDefault(selected) { return .explain(shareOfDefault) }
        guard !text.isEmpty, text.last != "." else {
            typed = text
            return .handled
        }
        do throws(ConfigError) {
            let share = try Percentage(text)
            guard Rollout.whole % share.total == 0 else { return .explain("At most two decimals") }
            typed = text
            setShare(toHundredths: share.weight * (Rollout.whole / share.total))
        } catch {
            return .explain(error.message)
        }
        return .handled
    }

    mutating func handle(_ mouse: MouseEvent) -> ScreenResponse<DemoIntent> {
        guard case .target(.own(.track(let index, let columns)), let offset) = panel.part(at: mouse.point) else {
            return .ignored
        }
        switch mouse.action {
        case .press(button: 0), .drag(button: 0):
            list.select(index, extent)
            typed = ""
            setShare(toHundredths: offset * Rollout.whole / max(columns - 1, 1))
            return .handled
        default: return .ignored
        }
    }
}

// The view.
extension RolloutScreen {
    var titleSpans: [Line.Span] { [.init("Rule of \(key)", .title)] }
    var starts: [Int]? { Array(0..<count) }
    var lineCount: Int { count + effect.count }

    func line(_ index: Int) -> Line { lines()(index) }

    func lines() -> (Int) -> Line {
        let (variant, count, effect) = (variantLine(columns: max(place.content.size.columns, 1)), count, effect)
        return { $0 < count ? variant($0) : effect[$0 - count] }
    }

    mutating func placeChanged() {
        let text = PageText(columns: place.content.size.columns, state)
        effect = RuleEffectPage(key: key, edit: edit, state: state).lines(text).map { Line(of: $0) }
    }

    private static let shareColumns = 8
    private static let minimumTrackWidth = 5
    private static let maximumTrackWidth = 40

    /// Makes the line of a variant.
    private func variantLine(columns: Int) -> (Int) -> Line {
        guard let draft else { return { _ in Line([]) } }
        let widest = min(draft.parts.map(\.name.columnWidth).max() ?? 0, max(columns / 4, 8))
        let valueColumns = max(min(columns / 4, 16), 9)
        let rest = columns - 2 - widest - 1 - valueColumns - 1 - Self.shareColumns - 1
        let track = rest < Self.minimumTrackWidth ? 0 : min(rest, Self.maximumTrackWidth)
        return { index in
            let part = draft.parts[index]
            let isSelected = index == selected
            let name = part.name.sanitized().truncated(toColumns: widest).padded(toColumns: widest)
            let value: [Line.Span] = state.preview.spans(of: part.value, columns: valueColumns)
            let share = isSelected && !typed.isEmpty ? typed + " %" : draft.share(of: index).description
            let spans: [Line.Span] =
                [.init(isSelected ? "▌ " : "  "), .init(name + " ", isSelected ? .selected : .plain)]
                + value.fitted(columns: valueColumns) + [.init(" ")]
                + [.init(share.padded(toColumns: Self.shareColumns) + " ", isSelected ? .title : .plain)]
                + (track == 0 ? [] : trackSpans(index, draft, columns: track))
            return Line(spans, isFocused: isSelected, target: .entry(index))
        }
    }

    private func trackSpans(_ index: Int, _ draft: Rollout, columns: Int) -> [Line.Span] {
        let full = (draft.hundredths(of: index) * columns + Rollout.whole / 2) / Rollout.whole
        let target = draft.isDefault(index) ? Command.entry(index) : .own(.track(index, columns: columns))
        return [
            .init(String(repeating: "█", count: full), .accent, target: target),
            .init(String(repeating: "░", count: columns - full), .dimmed, target: target, offset: full),
        ]
    }
}
