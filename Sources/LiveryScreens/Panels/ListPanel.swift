// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TerminalUI

/// An action on a list: one that every list has, or one that only this list has.
enum ListAction<Own: Hashable & Sendable>: Hashable, Sendable {
    case move(ListMove)
    case filter, endFilter
    /// Opens the entry of the cursor.
    case open
    /// Puts the cursor on an entry; opens the one that it is on.
    case entry(Int)
    case zoom, help, back
    case request(DemoIntent)
    case own(Own)
}

/// A panel of entries with a cursor, which are filtered by typing: all lists of the screen are one.
///
/// What the keys, the mouse and pasted text mean is decided here; a list supplies its lines, and what opens an entry.
protocol ListPanel: DemoPanel where Command == ListAction<Own> {
    /// The actions that only this list has.
    associatedtype Own: Hashable & Sendable

    var list: ListState { get set }
    var keys: UserKeys { get }

    /// The number of lines.
    var lineCount: Int { get }
    /// The first line of each entry; `nil`, by default, if each line is one.
    var starts: [Int]? { get }
    /// Makes a line; only those in sight are made.
    func line(_ index: Int) -> Line
    /// Makes the lines of one frame, which may have work in common. ``line(_:)``, by default.
    func lines() -> (Int) -> Line
    /// The lines that do not scroll. None, by default.
    var head: [Line] { get }
    /// Their number, which is needed more often than the lines.
    var headRows: Int { get }
    /// The text where there are no lines. `No matches`, by default.
    var emptyText: String { get }
    /// The parts of the title before the filter. The name, by default.
    var titleSpans: [Line.Span] { get }

    /// Whether it is filtered: by `/`, or by any letter. By `/`, by default.
    var filtering: ListFiltering { get }
    /// The command that opens an entry, for the hint and the help; `nil`, by default, if nothing.
    var opening: ScreenCommand<Command>? { get }
    /// The commands of this list, in the order of hints. None, by default.
    var actions: [ScreenCommand<Command>] { get }
    /// The only commands while letters go into a field of the list. `nil`, by default, since they do not.
    var fieldCommands: [ScreenCommand<Command>]? { get }
    /// The keys that go back, beside those of every list. None, by default.
    var backKeys: [Key] { get }
    /// The place of the panel, unless it is zoomed. Beside the main screen, by default.
    var normalPlace: PanelPlace { get }

    /// Opens an entry. Nothing, by default.
    mutating func open(_ entry: Int) -> ScreenResponse<DemoIntent>
    /// Carries out an action of this list. Nothing, by default.
    mutating func run(_ action: Own) -> ScreenResponse<DemoIntent>
    /// Goes back where there is no filter to clear. Closes the panel, by default.
    mutating func goBack() -> ScreenResponse<DemoIntent>
    /// Adapts to another text of the filter, and begins at the first entry, unless the filter has ended. Only the latter, by default.
    mutating func filterChanged()
    /// Adapts to a change of the place. Nothing, by default.
    mutating func placeChanged()
}

enum ListFiltering {
    case none, bySlash, byTyping
}

extension ListPanel {
    var starts: [Int]? { nil }
    func lines() -> (Int) -> Line { line }
    var head: [Line] { [] }
    var headRows: Int { head.count }
    var emptyText: String { "No matches" }
    var titleSpans: [Line.Span] { [.init(name, .title)] }
    var filtering: ListFiltering { .bySlash }
    var opening: ScreenCommand<Command>? { nil }
    var actions: [ScreenCommand<Command>] { [] }
    var fieldCommands: [ScreenCommand<Command>]? { nil }
    var backKeys: [Key] { [] }
    var normalPlace: PanelPlace { .list(in: size) }

    mutating func open(_ entry: Int) -> ScreenResponse<DemoIntent> { .handled }
    mutating func run(_ action: Own) -> ScreenResponse<DemoIntent> { .handled }
    mutating func goBack() -> ScreenResponse<DemoIntent> { .close }
    mutating func filterChanged() { if list.filterText != nil { list.reset() } }
    mutating func placeChanged() {}

    var place: PanelPlace { list.isZoomed ? .whole(in: size) : normalPlace }
    var isSidePanel: Bool { filtering != .byTyping && !list.isZoomed }
    var mainSize: Size { isSidePanel ? place.main(in: size) : size }
    var takesText: Bool { list.isTyping || fieldCommands != nil }
    /// Enter is for what the filter finds.
    func holds(_ event: InputEvent) -> Bool { list.isTyping && isWorking && event == .key(Key(.enter)) }
    /// The number of lines in sight at once.
    var page: Int { max(place.list.size.rows - headRows, 1) }
    var extent: ListExtent { ListExtent(lines: lineCount, starts: starts, page: page) }
}

// The commands.
extension ListPanel {
    var commands: [ScreenCommand<Command>] {
        if let fieldCommands { return fieldCommands }
        let isPicker = filtering == .byTyping
        let back = ScreenCommand(
            Command.back,
            list.isTyping ? [Key(.escape)] : keys.close + backKeys,
            hint: list.filterText != nil || list.isTyping && !isPicker ? "Clear" : backKeys.isEmpty ? "Close" : "Back",
            help: filtering == .none ? "Go back" : "Clear the filter, then go back"
        )
        let first = [opening].compactMap(\.self) + actions
        let help = keys.helpCommand(Command.help, isTyping: isPicker)
        if isPicker { return Self.withOwnKeys(first + [help, back]) }
        if list.isTyping { return [ScreenCommand(.endFilter, [Key(.enter)], hint: "Done"), back] }
        let zoomHelp = "Show in full screen, or next to the main one"
        let zoom = ScreenCommand(Command.zoom, [.character("z")], hint: "Zoom", help: zoomHelp)
        return Self.withOwnKeys(first + [help] + scrolling + [zoom, back])
    }

    /// A command of this list.
    ///
    /// - Parameters:
    ///   - help: the effect.
    ///   - hint: a word; empty if no hint names the command.
    ///   - isPossible: whether it has its effect now.
    func own(
        _ action: Own,
        _ keys: [Key],
        _ help: String,
        hint: String = "",
        if isPossible: Bool = true
    ) -> ScreenCommand<Command> {
        ScreenCommand(.own(action), keys, hint: hint, help: help, isPossible: isPossible)
    }

    /// The command that cancels what the list waits for: its reads, by default.
    func cancelling(_ command: Command = .request(.cancelReads)) -> ScreenCommand<Command> {
        ScreenCommand(command, [Key(.escape)], hint: "Cancel", help: "Cancel the request")
    }

    /// The command that repeats a read that has failed.
    func refreshing(_ help: String) -> ScreenCommand<Command> {
        ScreenCommand(.request(.refresh), [.character("r")], hint: "Refresh", help: help)
    }

    /// The commands without the keys that one before them has.
    private static func withOwnKeys(_ commands: [ScreenCommand<Command>]) -> [ScreenCommand<Command>] {
        var taken: Set<Key> = []
        return commands.map { command in
            var command = command
            command.keys.removeAll { !taken.insert($0).inserted }
            return command
        }
    }

    /// The moves, and the filter.
    private var scrolling: [ScreenCommand<Command>] {
        let isLong = lineCount > page
        return ListScrolling.allCases.filter { filtering != .none || $0 != .search }.map { scrolling in
            let action = scrolling.move.map(Command.move) ?? .filter
            return scrolling.declaration(action, keys, isLong: isLong)
        }
    }

    mutating func perform(_ command: Command) -> ScreenResponse<DemoIntent> {
        switch command {
        case .move(let move): list.move(move, extent)
        case .filter: changeFilter { $0.beginFilter() }
        case .endFilter: endFilter()
        case .open: return openSelected()
        case .entry(let entry):
            let opens = entry == list.cursor || filtering != .bySlash
            list.select(entry, extent)
            if opens { return openSelected() }
            endFilter()
        case .zoom:
            list.isZoomed.toggle()
            placeChanged()
        case .help: return .done([.toggle(.help)])
        case .back: return clearFilter() ? .handled : goBack()
        case .request(let intent): return .done([intent])
        case .own(let action): return run(action)
        }
        return .handled
    }

    private mutating func openSelected() -> ScreenResponse<DemoIntent> {
        endFilter()
        return extent.entries > 0 ? open(list.cursor) : .handled
    }

    private mutating func endFilter() {
        if filtering == .bySlash, list.isTyping { changeFilter { $0.endTyping() } }
    }

    /// - Returns: whether there was a filter.
    mutating func clearFilter() -> Bool {
        let isPicker = filtering == .byTyping
        let wasFiltered = isPicker ? list.filterText != nil : list.filter != nil
        if wasFiltered {
            changeFilter { list in
                list.clearFilter()
                if isPicker { list.beginFilter() }
            }
        }
        return wasFiltered
    }

    private mutating func changeFilter(_ change: (inout ListState) -> Void) {
        let text = list.filter?.text
        change(&list)
        if list.filter?.text != text { filterChanged() }
        list.select(list.cursor, extent)
    }
}

// The input.
extension ListPanel {
    mutating func handle(_ event: InputEvent) -> ScreenResponse<DemoIntent> {
        switch event {
        case .key(let key):
            feedback = ""
            if list.isTyping, let response = type(key) { return response }
            let response = perform(key)
            return response == .ignored ? handle(key) : response
        case .mouse(let mouse): return use(mouse)
        case .paste(let text):
            guard list.isTyping else { return handle(pasted: text) }
            changeFilter { $0.filter?.insert(text.withoutLineBreakAtEnd) }
            return .handled
        case .focus, .reply: return .ignored
        }
    }

    private mutating func type(_ key: Key) -> ScreenResponse<DemoIntent>? {
        if let move = ListMove.whileTyping(key) {
            list.move(move, extent)
            return .handled
        }
        var isHandled = false
        changeFilter { isHandled = $0.filter?.handle(key) == true }
        return isHandled ? .handled : nil
    }

    private mutating func use(_ mouse: MouseEvent) -> ScreenResponse<DemoIntent> {
        let panel = panel
        if list.handle(mouse, on: panel, extent) { return .handled }
        let response = handle(mouse)
        if response != .ignored { return response }
        if panel.part(at: mouse.point) != nil { return press(mouse, on: panel) }
        if isSidePanel { return .ignored }
        // A press beside a panel in the middle closes it.
        if case .press = mouse.action { return .close }
        return .handled
    }
}

// The view.
extension ListPanel {
    var panel: Panel<Command> {
        let (extent, isEmpty) = (extent, lineCount == 0)
        let (empty, lines) = (isEmpty ? emptyLines : [], lines())
        return Panel(
            place,
            title: filteredTitle,
            hints: commands,
            isTyping: takesText,
            head: head,
            feedback: feedback,
            count: isEmpty ? empty.count : extent.lines,
            top: list.top
        ) { index in
            if isEmpty { return empty[index] }
            var line = lines(index)
            guard let entry = extent.entry(ofLine: index) else { return line }
            line.isFocused = line.isFocused || entry == list.cursor
            line.target = line.target ?? .entry(entry)
            return line
        }
    }

    private var emptyLines: [Line] {
        let text = emptyText.sanitized().wrapped(toColumns: max(place.content.size.columns, 1), maximumLines: 20)
        return text.map { Line([.init($0, .dimmed)]) }
    }

    private var filteredTitle: [Line.Span] {
        guard let filter = list.filter else { return titleSpans }
        var spans = titleSpans + [.init(" ── ")]
        // The filter is more specific than what is before it.
        let wanted = filter.text.columnWidth + 2
        if spans.count > 3, spans.columnWidth() + wanted > place.titleColumns { spans.removeFirst(2) }
        let room = max(place.titleColumns - spans.columnWidth() - 1, 1)
        return spans + filter.filterSpans(isTyping: list.isTyping, columns: room, target: .filter)
    }

    /// A line of entries of several lines: the first one of the selected entry is marked.
    func selectable(_ line: Line, atLine index: Int) -> Line {
        var line = line
        if let starts, starts.indices.contains(list.cursor), starts[list.cursor] == index {
            line.spans = line.spans.map(\.selected)
        }
        return line
    }

    /// The spans of an entry's line: those of the selected one with the cursor's mark.
    func selectable(_ spans: [Line.Span], at entry: Int) -> Line {
        let isSelected = entry == list.cursor
        let all = [Line.Span(isSelected ? "▌" : " ")] + spans
        return Line(isSelected ? all.map(\.selected) : all, isFocused: isSelected, target: .entry(entry))
    }
}

/// The moves and the filter of every list, whose keys the user can bind.
enum ListScrolling: String, CaseIterable {
    case scrollUp, scrollDown, pageUp, pageDown, scrollTop, scrollEnd, search

    /// `nil` for the filter.
    var move: ListMove? { facts.move }

    /// The move, a word for the hint, a sentence for the help, and the standard keys.
    private var facts: (move: ListMove?, hint: String, help: String, keys: [Key]) {
        switch self {
        case .scrollUp: (.up, "", "Go up", [Key(.up), .character("k")])
        case .scrollDown: (.down, "Move", "Go down", [Key(.down), .character("j")])
        case .pageUp: (.pageUp, "", "Go up by a page", [Key(.pageUp)])
        case .pageDown: (.pageDown, "Page", "Go down by a page", [Key(.pageDown), .character(" ")])
        case .scrollTop: (.start, "", "Go to the beginning", [.character("g"), Key(.home)])
        case .scrollEnd: (.end, "", "Go to the end", [.character("G"), Key(.end)])
        case .search: (nil, "Filter", "Filter the list", [.character("/")])
        }
    }

    /// - Parameter isLong: whether some of the list is out of sight.
    func declaration<Command>(_ command: Command, _ keys: UserKeys, isLong: Bool = true) -> ScreenCommand<Command> {
        let facts = facts
        let bound = keys.keys(for: rawValue, standard: facts.keys)
        return ScreenCommand(command, bound, hint: isLong || self == .search ? facts.hint : "", help: facts.help)
    }

    /// The help on all of them, whose keys mean something in a list alone.
    static func help(_ keys: UserKeys) -> [ScreenHelp] {
        allCases.compactMap { scrolling in
            var line = scrolling.declaration(scrolling, keys).helpLine
            line?.key = nil
            return line
        }
    }
}
