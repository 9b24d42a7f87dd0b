// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import Programs
import RemoteConfig
import TerminalUI

/// The revisions of the source, or those of one key, newest first: they are read page by page, and new ones appear at the top.
struct HistoryScreen: ListPanel {
    enum Own: Hashable, Sendable { case mark, compare, restore }

    let name = "History"
    /// The key of the entry (`EntryKind.key(of:)`); `nil` for all.
    let key: String?
    var size: Size
    var feedback = ""
    var list = ListState()
    private var state: PanelState
    private(set) var log = RevisionLog()
    /// The revisions that the filter has found, or all.
    private var revisions: [Revision] = []
    /// The revision that others are compared with.
    private(set) var marked: UInt64?
    /// Why the next page cannot be read.
    private var problem: String?

    /// The next page is read when the cursor is this close to the end.
    private static let rowsAhead = 20

    init(_ key: String?, _ state: PanelState, size: Size) {
        (self.key, self.state, self.size) = (key, state, size)
        update(state)
    }

    var kind: PanelKind { .history(key) }
    var keys: UserKeys { state.look.keys }
    private var entry: (kind: EntryKind, name: String)? { key.map(EntryKind.named) }
    private var restoring: OperatorAction { key == nil ? .rollback : .edit }
    private var selected: Revision? { revisions.indices.contains(list.cursor) ? revisions[list.cursor] : nil }
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
        if let tail = log.tail, list.cursor + max(Self.rowsAhead, page) >= revisions.count { pages.append(tail) }
        return pages
    }

    mutating func update(_ next: PanelState) {
        state = next
        problem = state.desk.abilities.reason(against: .history)
        for before in pages {
            let found = state.reads.history(of: key, before: before)
            if let page = found.answer { log.add(page, before: before) }
            problem = found.problem ?? problem
        }
        find()
    }

    /// Finds the revisions of the filter. The cursor stays on its revision, unless that is the newest one.
    private mutating func find() {
        let former = list.cursor == 0 ? nil : selected?.number
        let words = list.words
        revisions = words.isEmpty ? log.revisions : log.revisions.filter { $0.has(words) }
        guard let former else { return }
        // The revision, or the next older one.
        let place = revisions.firstIndex { $0.number <= former } ?? revisions.count
        list.follow(max(min(place, revisions.count - 1), 0))
    }

    mutating func filterChanged() {
        if list.filterText != nil { list.reset() }
        find()
    }
}

// The input.
extension HistoryScreen {
    var backKeys: [Key] { [Key(.left)] }
    private var isWaiting: Bool { log.revisions.isEmpty && state.reads.isRunning }

    var opening: ScreenCommand<Command>? {
        if revisions.isEmpty { return nil }
        return ScreenCommand(.open, [Key(.enter), Key(.right)], hint: "Open", help: "Show the changes of the revision")
    }

    var actions: [ScreenCommand<Command>] {
        if isWaiting { return [cancelling()] }
        guard !revisions.isEmpty else { return [] }
        let compareHelp = "Compare with the marked revision, or with the current one"
        let restoreHelp = key == nil ? "Roll back to the revision" : "Restore the key to the revision"
        let restores = state.desk.abilities.allows(restoring)
        return [
            own(.mark, [.character("m")], "Mark the revision to compare others with it", hint: "Mark"),
            own(.compare, [.character("=")], compareHelp, hint: "Compare"),
            own(.restore, [.character("b")], restoreHelp, hint: key == nil ? "Roll back" : "Restore", if: restores),
        ]
    }

    mutating func open(_ entry: Int) -> ScreenResponse<DemoIntent> {
        let (revision, clock) = (revisions[entry], state.look.clock)
        var start = DiffStart(from: revision.number - 1, to: revision.number, first: key)
        let facts = [revision.author, clock.dateAndClock(revision.time)].compactMap(\.self).joined(separator: ", ")
        start.note = facts + (revision.message.map { ": \($0)" } ?? "")
        return .done([.toggle(.diff(start))])
    }

    mutating func run(_ action: Own) -> ScreenResponse<DemoIntent> {
        switch action {
        case .mark: marked = marked == selected?.number ? nil : selected?.number
        case .compare: return compare()
        case .restore: return restore()
        }
        return .handled
    }

    private func compare() -> ScreenResponse<DemoIntent> {
        guard let revision = selected?.number, let newest = log.revisions.first?.number else { return .handled }
        let other = marked ?? newest
        guard other != revision else {
            return .explain("Nothing to compare; select another revision, or mark one with m")
        }
        let start = DiffStart(from: min(revision, other), to: max(revision, other), name: entry?.name)
        return .done([.toggle(.diff(start))])
    }

    private func restore() -> ScreenResponse<DemoIntent> {
        guard let revision = selected?.number, let newest = log.revisions.first?.number else { return .handled }
        if let reason = state.desk.abilities.reason(against: restoring) { return .explain(reason) }
        // The rule or the schema of a key may have changed since its newest revision.
        guard key != nil || revision < newest else {
            return .explain("This is the current revision; select an earlier one")
        }
        return .done([.toggle(.restore(revision, name: entry?.name))])
    }
}

// The view.
extension HistoryScreen {
    var titleSpans: [Line.Span] {
        [.init(entry.map { "History of \($0.kind.label + $0.name)" } ?? name, .title)]
    }

    /// The revisions, and a line after the last one while more are read, or where they cannot be.
    var lineCount: Int { revisions.count + (revisions.isEmpty || endText == nil ? 0 : 1) }
    var starts: [Int]? { lineCount == revisions.count ? nil : Array(revisions.indices) }
    var emptyText: String { endText ?? (list.filterText != nil ? "No matches" : log.hasBegun ? "No changes." : "") }

    private var endText: String? {
        if let problem { return problem }
        return state.reads.isRunning && (log.revisions.isEmpty || log.tail != nil) ? "Loading…" : nil
    }

    func line(_ index: Int) -> Line {
        guard index < revisions.count else { return Line([.init(endText ?? "", problem == nil ? .dimmed : .error)]) }
        let isMarked = revisions[index].number == marked
        let row = RevisionRow(revision: revisions[index], isOfKey: key != nil, isMarked: isMarked)
        return selectable(row.spans(columns: place.content.size.columns - 1, state), at: index)
    }
}

/// A row of the history: the revision, the time, the author, and the message or what has changed, as far as there is room.
private struct RevisionRow {
    let revision: Revision
    let isOfKey: Bool
    let isMarked: Bool

    private static let columnsForSize = 88
    private static let columnsForAuthor = 34
    private static let maximumAuthorWidth = 16

    func spans(columns: Int, _ state: PanelState) -> [HistoryScreen.Line.Span] {
        typealias Span = HistoryScreen.Line.Span
        // Without the year and the seconds.
        let time = state.look.clock.dateAndClock(revision.time).dropFirst(5).dropLast(3)
        var spans: [Span] = [
            .init(isMarked ? "=" : " ", .accent), .init("\(revision.number)".padded(toColumns: 5) + " "),
            .init("\(time)  ", .dimmed),
        ]
        if columns >= Self.columnsForAuthor, let author = revision.author {
            let room = min(max(columns / 6, 6), Self.maximumAuthorWidth)
            spans.append(.init(author.sanitized().truncated(toColumns: room).padded(toColumns: room) + "  "))
        }
        guard isOfKey else {
            if columns >= Self.columnsForSize { spans.append(.init(size.padded(toColumns: 18) + "  ", .dimmed)) }
            return spans + [.init(revision.message ?? revision.keys)]
        }
        let room = columns - spans.columnWidth()
        let record = revision.records.first
        let value: [Span] =
            record?.kind == .rule
            ? record?.words.map { [Span($0)] } ?? []
            : record?.value.map { state.preview.spans(of: $0, columns: room) } ?? []
        spans += value.isEmpty ? [.init("removed", .dimmed)] : value
        return spans + (revision.message.map { [.init("  " + $0, .dimmed)] } ?? [])
    }

    /// `3 keys, 1,204 B`.
    private var size: String {
        "\(revision.records.count.grouped(of: "key")), \(revision.bytes.grouped) B"
    }
}

extension Revision {
    fileprivate var keys: String { records.prefix(8).map { $0.kind.label + $0.key }.joined(separator: ", ") }

    /// Whether each word is in the number, the author, the message or a key, deleted ones included.
    fileprivate func has(_ words: [FilterWord]) -> Bool {
        let texts = ["\(number)", author ?? "", message ?? ""] + records.map { $0.kind.label + $0.key }
        return words.allSatisfy { word in texts.contains { word.isIn($0) } }
    }
}
