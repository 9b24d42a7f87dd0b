// SPDX-License-Identifier: Apache-2.0

import TerminalUI

/// A line of a list, which may do something when it is clicked.
typealias ListLine = ActiveLine<ListCommand>

enum ListCommand: Hashable, Sendable {
    /// A key that the list itself handles, to scroll or to search.
    case list(Key)
    /// A page of the content.
    case page(Int)
    case zoom, save, back
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

    /// The pages of the content, of which one is shown. None, by default.
    var pages: ListPages { get set }

    /// Whether it is shown beside the main screen, and not in the middle. No, by default.
    func isSidePanel(in size: Size) -> Bool

    /// The lines in sections, each of which a search finds as a whole.
    func sections(columns: Int) -> [[ListLine]]

    /// The text to save to a file; `nil` for the lines as they are shown. `nil`, by default.
    var savedText: SavedText? { get }

    /// Applies changes.
    ///
    /// - Returns: whether the lines may be others.
    mutating func update(_ state: PanelState) -> Bool

    /// The reads whose answers the lines show. None, by default.
    var needs: Set<OperatorRequest> { get }
}

/// The pages of a list, each with a digit as its key.
struct ListPages: Hashable, Sendable {
    let names: [String]
    var shown = 0

    static let none = ListPages(names: [])

    /// The names with their keys as a line that fits; where room is short, those of the others are left out.
    func line(columns: Int) -> ListLine {
        let texts = names.enumerated().map { "\($0 + 1) \($1)" }
        let isWide = texts.reduce(-2) { $0 + $1.columnWidth + 2 } <= columns
        let spans = texts.enumerated().map { index, text in
            let isShown = index == shown
            let text = isWide || isShown ? text : "\(index + 1)"
            return ListLine.Span(isShown ? "[\(text)]" : text, isShown ? .title : .dimmed, target: .page(index))
        }
        return ListLine(Array(spans.map { [$0] }.joined(separator: [.init(isWide ? " " : "  ")])))
    }
}

extension ListContent {
    var commands: [ScreenCommand<ListCommand>] { [] }
    var backKeys: [Key] { [] }
    var savedText: SavedText? { nil }
    var needs: Set<OperatorRequest> { [] }
    var pages: ListPages {
        get { .none }
        set {}
    }

    func isSidePanel(in size: Size) -> Bool { false }
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
    /// Whether it takes the whole screen.
    private var isZoomed = false

    init(_ content: Content, size: Size, keys: UserKeys) {
        (self.content, self.size, self.keys) = (content, size, keys)
        place = .side(in: size)
        layOut()
    }

    private mutating func layOut() {
        let isSidePanel = content.isSidePanel(in: size)
        place = isZoomed ? .whole(in: size) : .side(in: size)
        let columns = isSidePanel || isZoomed ? place.content.size.columns : PanelPlace.maximumColumns(in: size)
        sections = content.sections(columns: max(columns, 1))
        if !isSidePanel, !isZoomed {
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
    var isSidePanel: Bool { content.isSidePanel(in: size) && !isZoomed }
    var takesText: Bool { list.isTyping }
    /// How many lines are in sight at once.
    var page: Int { max(place.list.size.rows - head.count, 1) }
    private var head: [ListLine] {
        let columns = place.content.size.columns
        return content.pages.names.isEmpty || place.list.size.rows < 3 ? [] : [content.pages.line(columns: columns)]
    }

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
        return content.commands + pageCommands + scrolling + [
            ScreenCommand(
                .zoom,
                [.character("z")],
                hint: "Zoom",
                help: "Show in full screen, or next to the main one"
            ),
            ScreenCommand(.save, [.character("s")], hint: "Save", help: "Save to a file"), last,
        ]
    }

    /// The digits, and Tab for the next page.
    private var pageCommands: [ScreenCommand<ListCommand>] {
        let pages = content.pages
        guard !pages.names.isEmpty else { return [] }
        let count = pages.names.count
        let digits = pages.names.enumerated().map { index, name in
            let key = Key.character(Character("\(index + 1)"))
            return ScreenCommand(ListCommand.page(index), [key], help: "Show the page \(name)")
        }
        let next = ScreenCommand(
            ListCommand.page((pages.shown + 1) % count),
            [Key(.tab)],
            hint: "Next",
            help: "Show the next page"
        )
        let former = ScreenCommand(ListCommand.page((pages.shown + count - 1) % count), [Key(.tab, .shift)])
        return digits + [next, former]
    }

    /// The text to save: of the lines as they are, without what only colours show.
    private var savedText: SavedText {
        if let saved = content.savedText { return saved }
        let text = lines.map { line in
            String(line.spans.map(\.text).joined().reversed().drop { $0 == " " }.reversed()) + "\n"
        }
        return SavedText(name: name.lowercased() + ".txt", text: text.joined())
    }

    mutating func perform(_ command: ListCommand) -> ScreenResponse<DemoIntent> {
        switch command {
        case .list(let key): changeList { [page, count = lines.count] in _ = $0.handle(key, count: count, page: page) }
        case .page(let index):
            content.pages.shown = index
            changeList { _ = $0.endSearch() }
            list.scroll(to: 0, count: 0, page: 1)
            layOut()
        case .zoom:
            isZoomed.toggle()
            layOut()
        case .save: return .done([.toggle(.prompt(.save(savedText)))])
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
        case (.press, nil): return isSidePanel ? .ignored : .close
        case (_, nil): return isSidePanel ? .ignored : .handled
        default: return .handled
        }
    }

    mutating func update(_ state: PanelState) {
        if content.update(state) { layOut() }
    }

    var needs: Set<OperatorRequest> { content.needs }

    var panel: Panel<ListCommand> {
        var title: [ListLine.Span] = [.init(name, .title)]
        if let search = list.search {
            let columns = place.searchColumns(after: name)
            let target = ListCommand.list(.character("/"))
            title += [.init(" ── ")] + search.searchSpans(isTyping: list.isTyping, columns: columns, target: target)
        }
        return Panel(
            place,
            title: title,
            hints: commands,
            head: head,
            feedback: feedback,
            count: lines.count,
            top: list.top
        ) { lines[$0] }
    }
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
