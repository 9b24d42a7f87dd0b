// SPDX-License-Identifier: Apache-2.0

import TerminalUI

/// A line of a list, which may do something when it is clicked.
typealias ListLine = ActiveLine<ListCommand>

enum ListCommand: Hashable, Sendable {
    /// A key that the list itself handles, to scroll or to search.
    case list(Key)
    case back
    case request(DemoIntent)
}

/// The content of a list: its lines, and what can be done with them.
protocol ListContent: Sendable {
    var kind: PanelKind { get }
    var title: String { get }
    /// The commands beside those of every list. None, by default.
    var commands: [ScreenCommand<ListCommand>] { get }
    /// The keys that go back, beside those of every list. None, by default.
    var backKeys: [Key] { get }

    /// Whether it is shown beside the main screen, and not in the middle. No, by default.
    func isBeside(in size: Size) -> Bool

    /// The lines in sections, each of which a search finds as a whole.
    func sections(columns: Int) -> [[ListLine]]

    /// Applies changes.
    ///
    /// - Returns: whether the lines may be others.
    mutating func update(_ state: PanelState) -> Bool

    /// The work that the list requests when it opens. Nothing, by default.
    var openingIntents: [DemoIntent] { get }

    /// Takes in an answer of the operator. Nothing, by default.
    ///
    /// - Returns: whether the lines may be others.
    mutating func receive(_ answer: OperatorAnswer) -> Bool
}

extension ListContent {
    var commands: [ScreenCommand<ListCommand>] { [] }
    var backKeys: [Key] { [] }
    var openingIntents: [DemoIntent] { [] }

    mutating func receive(_ answer: OperatorAnswer) -> Bool { false }

    func isBeside(in size: Size) -> Bool { false }
}

/// A list of lines that is scrolled and searched: the help, the errors, the log, a key in full.
struct ListScreen<Content: ListContent>: DemoPanel {
    private(set) var content: Content
    private let keys: UserKeys
    var size: Size {
        didSet { if size != oldValue { layOut() } }
    }
    var feedback = ""
    private(set) var list = ScrolledList()
    private var grip = ScrollGrip()
    /// All lines, laid out once: there may be many.
    private var sections: [[ListLine]] = []
    /// The lines that the search has found, or all.
    private(set) var lines: [ListLine] = []
    private(set) var place: PanelPlace

    init(_ content: Content, size: Size, keys: UserKeys) {
        (self.content, self.size, self.keys) = (content, size, keys)
        place = .beside(in: size)
        layOut()
    }

    private mutating func layOut() {
        let isBeside = content.isBeside(in: size)
        place = .beside(in: size)
        let columns = isBeside ? place.content.size.columns : PanelPlace.mostColumns(in: size)
        sections = content.sections(columns: max(columns, 1))
        if !isBeside {
            // A search leaves the frame as it is.
            let all = sections.joined()
            place = .centered(columns: all.lazy.map(\.columnWidth).max() ?? 0, rows: all.count, in: size)
        }
        find()
    }

    private mutating func find() {
        lines = list.found(in: sections)
        list.clamp(count: lines.count, page: page)
    }
}

extension ListScreen {
    var name: String { content.title }
    var kind: PanelKind { content.kind }
    var isBeside: Bool { content.isBeside(in: size) }
    var takesText: Bool { list.isTyping }
    /// How many lines are in sight at once.
    var page: Int { max(place.list.size.rows, 1) }

    var commands: [ScreenCommand<ListCommand>] {
        let back = ScreenCommand(ListCommand.back, keys.close + content.backKeys, hint: "Close", help: "Close the list")
        if list.isTyping {
            return [
                ScreenCommand(.list(Key(.enter)), [Key(.enter)], hint: "Done"),
                ScreenCommand(.back, [Key(.escape)], hint: "Clear"),
            ]
        }
        let isLong = lines.count > page
        let scrolling = ListScrolling.allCases.map { scrolling in
            var command = scrolling.declaration(keys)
            if !isLong, scrolling != .search || list.search == nil { command.hint = "" }
            return command
        }
        var last = back
        last.hint = list.search != nil ? "Clear" : content.backKeys.isEmpty ? "Close" : "Back"
        return content.commands + scrolling + [last]
    }

    mutating func perform(_ command: ListCommand) -> ScreenResponse<DemoIntent> {
        switch command {
        case .list(let key): changeList { [page, count = lines.count] in _ = $0.handle(key, count: count, page: page) }
        case .back:
            if list.search == nil { return .close }
            changeList { _ = $0.endSearch() }
        case .request(let intent): return .done([intent])
        }
        return .handled
    }

    mutating func handle(_ event: InputEvent) -> ScreenResponse<DemoIntent> {
        switch event {
        case .key(let key):
            feedback = ""
            var isHandled = false
            if list.isTyping {
                changeList { [page, count = lines.count] in isHandled = $0.handle(key, count: count, page: page) }
            }
            return isHandled ? .handled : perform(key)
        case .mouse(let mouse): return use(mouse)
        case .paste(let text): changeList { $0.paste(text) }
        case .focus, .reply: return .ignored
        }
        return .handled
    }

    private mutating func changeList(_ change: (inout ScrolledList) -> Void) {
        let search = list.search?.text
        change(&list)
        if list.search?.text != search { find() }
    }

    private mutating func use(_ mouse: MouseEvent) -> ScreenResponse<DemoIntent> {
        let panel = panel
        if let top = grip.top(after: mouse, on: panel) {
            list.scroll(to: top, count: lines.count, page: page)
            return .handled
        }
        switch (mouse.action, panel.part(at: mouse.point)) {
        case (.press(button: 0), .target(let command, _)): return perform(command)
        case (.press, nil): return isBeside ? .ignored : .close
        case (_, nil): return isBeside ? .ignored : .handled
        default: return .handled
        }
    }

    mutating func update(_ state: PanelState) {
        if content.update(state) { layOut() }
    }

    var openingIntents: [DemoIntent] { content.openingIntents }

    mutating func receive(_ answer: OperatorAnswer) -> [DemoIntent] {
        if content.receive(answer) { layOut() }
        return []
    }

    var panel: Panel<ListCommand> {
        var title: [ListLine.Span] = [.init(name, .title)]
        if let search = list.search {
            let columns = max(place.titleColumns - name.columnWidth - 6, 1)
            let target = ListCommand.list(.character("/"))
            title += [.init(" ── ")] + search.searchSpans(isTyping: list.isTyping, columns: columns, target: target)
        }
        return Panel(
            place,
            title: title,
            hints: commands,
            feedback: feedback,
            count: lines.count,
            top: list.top
        ) { lines[$0] }
    }

    func draw(on grid: inout Grid, _ theme: Theme) { grid.draw(panel, theme) }
}

/// The commands of every list, whose keys the user can bind.
enum ListScrolling: String, CaseIterable {
    case scrollUp, scrollDown, pageUp, pageDown, scrollTop, scrollEnd, search

    /// The key that the list itself knows, a word for the hint, a sentence for the help, and the standard keys.
    private var facts: (key: Key, hint: String, help: String, keys: [Key]) {
        switch self {
        case .scrollUp: (Key(.up), "", "Scroll up", [Key(.up), .character("k")])
        case .scrollDown: (Key(.down), "Scroll", "Scroll down", [Key(.down), .character("j")])
        case .pageUp: (Key(.pageUp), "", "Scroll up by a page", [Key(.pageUp)])
        case .pageDown: (Key(.pageDown), "Page", "Scroll down by a page", [Key(.pageDown), .character(" ")])
        case .scrollTop: (Key(.home), "", "Scroll to the first line", [.character("g"), Key(.home)])
        case .scrollEnd: (Key(.end), "", "Scroll to the last line", [.character("G"), Key(.end)])
        case .search: (.character("/"), "Search", "Search the open list", [.character("/")])
        }
    }

    func declaration(_ keys: UserKeys) -> ScreenCommand<ListCommand> {
        let facts = facts
        let bound = keys.keys(for: rawValue, standard: facts.keys)
        return ScreenCommand(.list(facts.key), bound, hint: facts.hint, help: facts.help)
    }

    /// The help on all of them, whose keys mean something in the list alone.
    static func help(_ keys: UserKeys) -> [ScreenHelp] {
        allCases.compactMap { scrolling in
            var line = scrolling.declaration(keys).helpLine
            line?.key = nil
            return line
        }
    }
}
