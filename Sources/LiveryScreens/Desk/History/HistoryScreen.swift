// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import Programs
import RemoteConfig
import TerminalUI

/// The revisions of the source, or those of one key, newest first: they are read page by page, and new ones appear at the top.
struct HistoryScreen: DemoPanel {
    enum Command: Hashable, Sendable {
        case open, mark, compare, restore, cancel, help, back
        case row(Int)
    }

    let name = "History"
    /// The key of the entry (`EntryKind.key(of:)`); `nil` for all.
    let key: String?
    var size: Size
    var feedback = ""
    private var state: PanelState
    private(set) var log = RevisionLog()
    /// The revision that the cursor is on; `nil` for the newest one.
    private var selected: UInt64?
    /// The revision that others are compared with.
    private(set) var marked: UInt64?
    private var top = 0
    private var grip = ScrollGrip()
    /// Why the next page cannot be read.
    private var problem: String?

    /// The next page is read when the cursor is this close to the end.
    private static let rowsAhead = 20

    init(_ key: String?, _ state: PanelState, size: Size) {
        (self.key, self.state, self.size) = (key, state, size)
        update(state)
    }

    var kind: PanelKind { .history(key) }
    private var revisions: [Revision] { log.revisions }
    private var place: PanelPlace { .side(in: size) }
    private var page: Int { max(place.list.size.rows, 1) }
    private var cursor: Int {
        guard let selected else { return 0 }
        // The revision, or the next older one.
        return min(revisions.firstIndex { $0.number <= selected } ?? revisions.count, max(revisions.count - 1, 0))
    }

    private var selectedRevision: Revision? { revisions.isEmpty ? nil : revisions[cursor] }
}

// Reading.
extension HistoryScreen {
    /// The list of all is also opened from the main screen, before the inspector requests the rights.
    var openingIntents: [DemoIntent] { key == nil ? [.request(.abilities)] : [] }

    var needs: Set<OperatorRequest> {
        guard state.desk.abilities.allows(.history) else { return [] }
        return Set(pages.map { .history(of: key, before: $0) })
    }

    /// The newest page, what is missing between pages, and the next page when the cursor comes near.
    private var pages: [UInt64?] {
        var pages: [UInt64?] = [nil] + log.missing
        if let tail = log.tail, cursor + max(Self.rowsAhead, page) >= revisions.count { pages.append(tail) }
        return pages
    }

    mutating func update(_ next: PanelState) {
        state = next
        problem = state.desk.abilities.reason(against: .history)
        for before in pages {
            switch state.reads.history(of: key, before: before) {
            case .loading: break
            case .done(let page): keepingPlace { $0.add(page, before: before) }
            case .failed(let error): problem = error.description
            }
        }
    }

    /// Changes the log, and leaves the cursor's row where it is on the screen, unless it is on the newest revision.
    private mutating func keepingPlace(_ change: (inout RevisionLog) -> Void) {
        let offset = cursor - top
        change(&log)
        if selected != nil { top = max(cursor - offset, 0) }
    }
}

// The input.
extension HistoryScreen {
    var commands: [ScreenCommand<Command>] {
        let isWaiting = revisions.isEmpty && state.reads.isRunning
        let back =
            isWaiting
            ? [
                ScreenCommand(Command.cancel, [Key(.escape)], hint: "Cancel", help: "Cancel the request"),
                ScreenCommand(.back, state.look.keys.close + [Key(.left)]),
            ]
            : [ScreenCommand(.back, state.look.keys.close + [Key(.left)], hint: "Close", help: "Close the list")]
        guard !revisions.isEmpty else { return back }
        let isRestorable = state.desk.abilities.allows(key == nil ? .rollback : .edit)
        return [
            ScreenCommand(.open, [Key(.enter), Key(.right)], hint: "Open", help: "Show the changes of the revision"),
            ScreenCommand(
                .mark,
                [.character("m")],
                hint: "Mark",
                help: "Mark the revision to compare others with it"
            ),
            ScreenCommand(
                .compare,
                [.character("=")],
                hint: "Compare",
                help: "Compare with the marked revision, or with the current one"
            ),
            ScreenCommand(
                .restore,
                [.character("b")],
                hint: key == nil ? "Roll back" : "Restore",
                help: key == nil ? "Roll back to the revision" : "Restore the value of the revision",
                isPossible: isRestorable
            ),
            ScreenCommand(.help, state.look.keys.help, hint: "Help"),
        ] + back
    }

    var notes: [ScreenHelp] {
        [
            ScreenHelp("j, k, g, G, arrows", "Move"), ScreenHelp("PageUp, PageDown, Space", "Move by a page"),
            ScreenHelp("Click", "Select; click again to open"), ScreenHelp("Wheel, scrollbar", "Scroll"),
        ]
    }

    mutating func perform(_ command: Command) -> ScreenResponse<DemoIntent> {
        switch command {
        case .open:
            guard let revision = selectedRevision else { break }
            let former = revision.number - 1
            return .done([.toggle(.diff(DiffStart(from: former, to: revision.number, first: key)))])
        case .mark: marked = marked == selectedRevision?.number ? nil : selectedRevision?.number
        case .compare: return compare()
        case .restore: return restore()
        case .cancel: return .done([.cancelReads])
        case .help: return .done([.toggle(.help)])
        case .back: return .close
        case .row(let row):
            if row == cursor { return perform(.open) }
            select(row)
        }
        return .handled
    }

    private mutating func compare() -> ScreenResponse<DemoIntent> {
        guard let revision = selectedRevision?.number, let newest = revisions.first?.number else { return .handled }
        let other = marked ?? newest
        guard other != revision else {
            feedback = "Nothing to compare; select another revision, or mark one with m"
            return .handled
        }
        let start = DiffStart(from: min(revision, other), to: max(revision, other), key: key)
        return .done([.toggle(.diff(start))])
    }

    private mutating func restore() -> ScreenResponse<DemoIntent> {
        guard let revision = selectedRevision, let newest = revisions.first?.number else { return .handled }
        guard let key else {
            if let reason = state.desk.abilities.reason(against: .rollback) { return .done([.explain(reason)]) }
            guard revision.number < newest else {
                feedback = "This is the current revision; select an earlier one"
                return .handled
            }
            return .done([.toggle(.restore(revision.number))])
        }
        let (kind, name) = EntryKind.named(key)
        if let reason = state.desk.abilities.reason(against: kind == .rule ? .rules : .edit) {
            return .done([.explain(reason)])
        }
        let change = KeyChange(
            key: name,
            kind: kind,
            old: state.snapshot.held(key)?.value,
            new: revision.records.first?.value
        )
        guard change.old != change.new else {
            feedback = "This is the current value; select an earlier one"
            return .handled
        }
        return .done([.toggle(.review(.restoring([change], to: revision.number)))])
    }

    private mutating func select(_ row: Int) {
        guard !revisions.isEmpty else { return }
        let row = max(min(row, revisions.count - 1), 0)
        selected = row == 0 ? nil : revisions[row].number
        top = min(max(top, row - page + 1), row)
    }

    mutating func handle(_ key: Key) -> ScreenResponse<DemoIntent> {
        var list = ListCursor()
        list.index = cursor
        let key = key == .character(" ") ? Key(.pageDown) : key
        guard list.handle(key, count: revisions.count, page: page) else { return .ignored }
        select(list.index)
        return .handled
    }

    mutating func handle(_ mouse: MouseEvent) -> ScreenResponse<DemoIntent> {
        let panel = panel
        if let top = grip.top(after: mouse, on: panel) {
            let bar = Scrollbar(count: revisions.count, page: page, top: top)
            select(min(max(cursor, bar.top), bar.top + bar.page - 1))
            self.top = bar.top
            return .handled
        }
        return press(mouse, on: panel)
    }
}

// The view.
extension HistoryScreen {
    var panel: Panel<Command> {
        let (revisions, cursor, columns) = (revisions, cursor, place.content.size.columns)
        let end = endLines(columns: columns)
        return Panel(
            place,
            title: [.init(key.map { "History of \(EntryKind.title(of: $0))" } ?? name, .title)],
            hints: commands,
            feedback: feedback,
            count: revisions.count + end.count,
            top: top
        ) { row in
            guard row < revisions.count else { return end[row - revisions.count] }
            let line = RevisionRow(
                revision: revisions[row],
                isOfKey: key != nil,
                isSelected: row == cursor,
                isMarked: revisions[row].number == marked
            )
            var shown = line.line(columns: columns, state)
            shown.target = .row(row)
            return shown
        }
    }

    /// The lines after the last revision: a problem, or the progress of a read.
    private func endLines(columns: Int) -> [Line] {
        if let problem {
            return problem.sanitized().wrapped(toColumns: max(columns, 1), maximumLines: 6).map {
                Line([.init($0, .accent)])
            }
        }
        if state.reads.isRunning, revisions.isEmpty || log.tail != nil { return [Line([.init("Loading…", .dimmed)])] }
        return revisions.isEmpty && log.hasBegun ? [Line([.init("No changes.", .dimmed)])] : []
    }
}

/// A row of the history.
private struct RevisionRow {
    let revision: Revision
    let isOfKey: Bool
    let isSelected: Bool
    let isMarked: Bool

    private static let columnsForSize = 72
    private static let columnsForAuthor = 34
    private static let maximumAuthorWidth = 12

    func line(columns: Int, _ state: PanelState) -> HistoryScreen.Line {
        typealias Span = HistoryScreen.Line.Span
        // Without the year and the seconds.
        let time = state.look.clock.dateAndClock(revision.time).dropFirst(5).dropLast(3)
        var spans: [Span] = [
            .init(isSelected ? "▌" : " "), .init(isMarked ? "=" : " ", .accent),
            .init("\(revision.number)".padded(toColumns: 5) + " "), .init("\(time)  ", .dimmed),
        ]
        if columns >= Self.columnsForAuthor, let author = revision.author {
            let columns = columns >= Self.columnsForSize ? Self.maximumAuthorWidth : Self.maximumAuthorWidth / 2
            spans.append(.init(author.sanitized().truncated(toColumns: columns).padded(toColumns: columns) + "  "))
        }
        let used = spans.reduce(0) { $0 + $1.text.columnWidth }
        if isOfKey {
            let value: [Span] =
                revision.records.first?.value.map { state.preview.spans(of: $0, columns: columns - used) } ?? []
            spans += value.isEmpty ? [.init("removed", .dimmed)] : value
            if let message = revision.message { spans.append(.init("  " + message, .dimmed)) }
        } else {
            if columns >= Self.columnsForSize { spans.append(.init(size.padded(toColumns: 18) + "  ", .dimmed)) }
            spans.append(.init(revision.message ?? keys))
        }
        return HistoryScreen.Line(isSelected ? spans.map(selected) : spans, isFocused: isSelected)
    }

    private func selected(_ span: HistoryScreen.Line.Span) -> HistoryScreen.Line.Span {
        if case .block = span.tone { return span }
        return .init(span.text, .selected)
    }

    /// `3 keys, 1,204 B`.
    private var size: String {
        "\(revision.records.count.grouped(of: "key")), \(revision.bytes.grouped) B"
    }

    private var keys: String {
        revision.records.prefix(8).map { $0.kind.label + $0.key }.joined(separator: ", ")
    }
}

extension Proposal {
    /// Values of a revision for some keys.
    static func restoring(_ changes: [KeyChange], to revision: UInt64) -> Proposal {
        let name = changes.count == 1 ? changes[0].kind.label + changes[0].key : "\(changes.count.grouped) keys"
        return Proposal(
            title: "Restore",
            changes: ConfigDiff(changes),
            message: "Restore \(name) to revision \(revision)"
        )
    }
}

extension EntryKind {
    /// The name of an entry with its kind, unless it is a value.
    fileprivate static func title(of key: String) -> String {
        let (kind, name) = named(key)
        return kind.label + name
    }
}
