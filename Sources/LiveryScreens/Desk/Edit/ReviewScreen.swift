// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import Programs
import TerminalUI

/// Changes before they are written: the difference, the result of the check, and a message for the history.
struct ReviewScreen: DemoPanel {
    enum Command: Hashable, Sendable {
        case publish, overwrite, collect, drop, checkAgain, help, back
        /// Scrolls by so many lines.
        case scroll(Int)
        /// The field of the message.
        case message(columns: Int)
    }

    /// The state of the changes at the operator.
    private enum Step: Equatable {
        case checking
        case checked(ChangeReport)
        case publishing
        case failed(ConfigError)
    }

    let name = "Review"
    let kind: PanelKind
    var size: Size
    var feedback = ""
    private let proposal: Proposal
    private var state: PanelState
    /// The changes, which start from other values after a conflict.
    private(set) var changes: ConfigDiff
    private var message: TextField
    private var step = Step.checking
    private var top = 0
    private var grip = ScrollGrip()

    init(_ proposal: Proposal, _ state: PanelState, size: Size) {
        (self.proposal, self.state, self.size) = (proposal, state, size)
        (changes, message, kind) = (proposal.changes, TextField(proposal.message), .review(proposal))
    }

    var openingIntents: [DemoIntent] { [.request(check)] }

    mutating func update(_ state: PanelState) { self.state = state }

    private var check: OperatorRequest { .check(changes, message: nil) }
    private var publish: OperatorRequest { .publish(changes, message: message.text.isEmpty ? nil : message.text) }
}

// The answers.
extension ReviewScreen {
    mutating func receive(_ answer: OperatorAnswer) -> [DemoIntent] {
        guard answer.request == check && step == .checking || answer.request == publish && step == .publishing else {
            return []
        }
        switch answer.result {
        case .success(.report(let report)): step = .checked(report)
        case .success(.published(.conflict(let conflicts))):
            var report = ChangeReport()
            report.conflicts = conflicts
            step = .checked(report)
        case .success: break
        case .failure(let error):
            guard !error.violations.isEmpty else {
                step = .failed(error)
                break
            }
            var report = ChangeReport()
            report.violations = error.violations
            step = .checked(report)
        }
        return []
    }
}

// The input.
extension ReviewScreen {
    /// The conflicts that a person has to decide.
    private var conflicts: [EntryConflict] { if case .checked(let report) = step { report.conflicts } else { [] } }

    /// Whether the changes can be written: the check has accepted them.
    var canPublish: Bool { if case .checked(let report) = step { report.isAccepted } else { false } }

    /// A file has no history, which would have the message.
    var takesText: Bool { canPublish && state.desk.abilities.allows(.history) }

    private static let overwriteKey = Key.character("O")

    var commands: [ScreenCommand<Command>] {
        var commands: [ScreenCommand<Command>] = []
        if canPublish {
            commands = [ScreenCommand(.publish, [Key(.enter)], hint: "Publish", help: "Publish the changes")]
            let isCollected = proposal.changes == state.desk.collected
            commands.append(
                isCollected
                    ? ScreenCommand(
                        .drop,
                        [Key(.character("x"), .control)],
                        hint: "Discard",
                        help: "Discard the collected changes"
                    )
                    : ScreenCommand(
                        .collect,
                        [Key(.character("n"), .control)],
                        hint: "Collect",
                        help: "Collect the change, to publish it with others"
                    )
            )
        }
        if !conflicts.isEmpty {
            commands.append(
                ScreenCommand(
                    .overwrite,
                    [Self.overwriteKey],
                    hint: "Overwrite",
                    help: "Overwrite their values with yours"
                )
            )
        }
        if case .failed = step {
            commands.append(ScreenCommand(.checkAgain, [.character("r")], hint: "Refresh", help: "Refresh the check"))
        }
        commands += [(Key.Code.up, -1, "Scroll up"), (.down, 1, "Scroll down")].map {
            ScreenCommand(.scroll($1), [Key($0)], help: $2)
        }
        commands += [(Key.Code.pageUp, -1, "Scroll up by a page"), (.pageDown, 1, "Scroll down by a page")].map {
            ScreenCommand(.scroll($1 * max(page - 1, 1)), [Key($0)], help: $2)
        }
        commands.append(state.look.keys.helpCommand(Command.help, isTyping: takesText))
        let isWaiting = step == .checking || step == .publishing
        let back = isWaiting ? "Cancel" : conflicts.isEmpty ? "Back" : "Keep theirs"
        return commands + [ScreenCommand(.back, [Key(.escape)], hint: back, help: "Go back without publishing")]
    }

    mutating func perform(_ command: Command) -> ScreenResponse<DemoIntent> {
        switch command {
        case .publish:
            step = .publishing
            return .done([.request(publish)])
        case .overwrite:
            let conflicts = conflicts
            changes = ConfigDiff(
                changes.changes.map { change in conflicts.first { $0.change == change }?.rebased ?? change }
            )
            return checkAgain()
        case .collect: return .done([.collect(changes)])
        case .drop: return .done([.dropCollected, .toggle(kind)])
        case .checkAgain: return checkAgain()
        case .help: return .done([.toggle(.help)])
        case .back:
            switch step {
            case .checking: return .done([.toggle(kind), .cancel(check)])
            case .publishing: return .done([.toggle(kind), .cancel(publish)])
            case .checked, .failed: return .close
            }
        case .scroll(let rows): top = Scrollbar(count: lines.count, page: page, top: top + rows).top
        case .message: break
        }
        return .handled
    }

    private mutating func checkAgain() -> ScreenResponse<DemoIntent> {
        (step, feedback) = (.checking, "")
        return .done([.request(check)])
    }

    mutating func handle(_ key: Key) -> ScreenResponse<DemoIntent> {
        if takesText, message.handle(key) { return .handled }
        // Nothing else is possible here, but for what keys with Ctrl do everywhere.
        return key.isChord ? .ignored : .handled
    }

    mutating func handle(pasted text: String) -> ScreenResponse<DemoIntent> {
        if takesText { message.insert(text.firstLine) }
        return .handled
    }

    mutating func handle(_ mouse: MouseEvent) -> ScreenResponse<DemoIntent> {
        let panel = panel
        if let top = grip.top(after: mouse, on: panel) {
            self.top = Scrollbar(count: lines.count, page: page, top: top).top
            return .handled
        }
        guard let part = panel.part(at: mouse.point) else { return .ignored }
        guard mouse.action == .press(button: 0), case .target(let target, let offset) = part else { return .handled }
        if case .message(let columns) = target { message.click(column: offset, columns: columns) }
        return perform(target)
    }
}

// The view.
extension ReviewScreen {
    private var place: PanelPlace { .side(in: size) }
    private var page: Int { max(place.list.size.rows, 1) }

    var panel: Panel<Command> { panel(titled: proposal.title, lines, in: place, top: top) }

    private var columns: Int { place.content.size.columns }

    private var lines: [Line] {
        let conflicts = conflicts
        var changed = proposal.notes.flatMap { sentence($0, .accent) }
        if changes.changes.count > Self.mostSingleChanges { changed += sentence(changes.summary, .dimmed) }
        let conflicting = Set(conflicts.map(\.change.heldKey))
        let others = changes.changes.lazy.filter { !conflicting.contains($0.heldKey) }
        let shown = conflicts.map(\.change) + others.prefix(Self.maximumChanges)
        changed += shown.flatMap { change in
            let conflict = conflicts.first { $0.change == change }
            return conflict.map(conflictLines) ?? changeLines(change)
        }
        let rest = changes.changes.count - shown.count
        if rest > 0 { changed += sentence("… and \(rest.grouped) more changes", .dimmed) }
        // The outcome of the check is seen first where not everything is in sight.
        let isLong = changed.count + Self.rowsForStatus > page
        return isLong ? statusLines + [Line([])] + changed : changed + gap + statusLines
    }

    private static let rowsForStatus = 4
    /// With more changes, a summary comes first.
    private static let mostSingleChanges = 3
    /// The lines of so many changes are laid out for each frame.
    private static let maximumChanges = 200

    private func changeLines(_ change: KeyChange) -> [Line] {
        if change.old?.hasParts == true, change.new?.hasParts == true {
            let text = PageText(columns: columns, preview: state.preview, clock: state.look.clock)
            let lines = text.change(from: change.old, to: change.new)
            return [Line([.init(change.kind.label + change.key, .title)])] + lines.map { $0.map { _ in .scroll(0) } }
        }
        let values: [(String, EntryValue?)] = [("old", change.old), ("new", change.new)]
        return [Line([.init(change.kind.label + change.key, .title)])] + values.flatMap(valueLines)
    }

    private func conflictLines(_ conflict: EntryConflict) -> [Line] {
        let change = conflict.change
        var lines = [Line([.init(change.kind.label + change.key, .title), .init(" has changed since", .accent)])]
        lines += [("base", change.old), ("theirs", conflict.theirs), ("mine", change.new)].flatMap(valueLines)
        guard let record = conflict.record else { return lines }
        let by = record.author.map { " by \($0)" } ?? ""
        let time = state.look.clock.dateAndClock(record.updatedAt)
        let words = record.message.map { ": \($0)" } ?? ""
        return lines + sentence("revision \(record.revision)\(by), \(time)\(words)", .dimmed)
    }

    private static let termColumns = 8

    private func valueLines(_ term: String, _ value: EntryValue?) -> [Line] {
        let head = Line.Span("  " + term.padded(toColumns: Self.termColumns), .dimmed)
        guard let value else { return [Line([head, .init("none", .dimmed)])] }
        let room = max(columns - Self.termColumns - 2, 1)
        if case .string(let text) = value, RGBColor(text) != nil {
            return [Line([head] + state.preview.spans(of: value, columns: room))]
        }
        let json = String(decoding: PrettyJSON.laidOut(Array(value.canonicalJSON.utf8)), as: UTF8.self)
        let parts = json.split(separator: "\n").flatMap { line in
            let indent = line.prefix { $0 == " " }
            let columns = max(room - indent.count, 1)
            return line.dropFirst(indent.count).wrapped(toColumns: columns, maximumLines: Self.maximumLines)
                .map { String(indent) + $0 }
        }
        let blank = Line.Span(String(repeating: " ", count: Self.termColumns + 2))
        let shown = parts.prefix(Self.maximumLines).enumerated().map { Line([$0 == 0 ? head : blank, .init($1)]) }
        return parts.count > Self.maximumLines ? shown + [Line([blank, .init("…", .dimmed)])] : shown
    }

    private static let maximumLines = 200

    private func sentence(_ text: String, _ tone: Tone = .plain) -> [Line] {
        text.sanitized().wrapped(toColumns: columns, maximumLines: 8).map { Line([.init($0, tone)]) }
    }

    /// Rows are scarce in a small panel.
    private var gap: [Line] { page < Self.rowsForGaps ? [] : [Line([])] }
    private static let rowsForGaps = 10

    private var statusLines: [Line] {
        switch step {
        case .checking: return sentence("Checking…", .dimmed)
        case .publishing: return sentence("Publishing…", .dimmed)
        case .failed(let error): return sentence("✖ \(error.description)", .accent)
        case .checked(let report):
            let ruled = report.ruledKeys.flatMap { key in
                sentence("◇ \(key) has a rule: users that it selects get its variants, not the new value", .accent)
            }
            if !report.conflicts.isEmpty {
                return sentence("\(Self.overwriteKey) overwrites their values with yours; Esc keeps theirs.") + ruled
            }
            let violations = report.violations.flatMap { sentence("✖ \($0.words)", .accent) }
            if !violations.isEmpty { return violations }
            return sentence("✔ Valid; press Enter to publish") + ruled + (takesText ? gap + messageLine : [])
        }
    }

    private var messageLine: [Line] {
        let term = "Message "
        let room = max(columns - term.count, 1)
        let spans = message.spans(columns: room, hasFocus: true, target: [room]).map { span in
            Line.Span(span.text, span.tone, target: .message(columns: room), offset: span.offset)
        }
        return [Line([.init(term, .dimmed)] + spans, isFocused: true)]
    }
}

extension EntryValue {
    fileprivate var hasParts: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }
}
