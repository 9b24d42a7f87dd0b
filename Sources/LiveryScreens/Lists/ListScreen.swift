// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TerminalUI

/// A line of a page, which may do something when it is clicked.
typealias ListLine = ActiveLine<PageAction>
typealias PageAction = ListAction<PageCommand>

enum PageCommand: Hashable, Sendable {
    /// A page of the content.
    case page(Int)
    case save
}

/// The content of a list: its lines, and what can be done with them.
protocol ListContent: Sendable {
    var kind: PanelKind { get }
    var title: String { get }
    /// The commands beside those of every list. None, by default.
    var commands: [ScreenCommand<PageAction>] { get }
    /// The keys that go back, beside those of every list. None, by default.
    var backKeys: [Key] { get }

    /// The pages of the content, of which one is shown. None, by default.
    var pages: ListPages { get set }

    /// Whether it is shown beside the main screen, and not in the middle. No, by default.
    func isSidePanel(in size: Size) -> Bool

    /// The lines in sections, each of which a filter finds as a whole.
    func sections(columns: Int) -> [[ListLine]]

    /// The text to save to a file; `nil` for the lines as they are shown. `nil`, by default.
    var savedText: SaveRequest? { get }

    /// Applies changes.
    ///
    /// - Returns: whether the lines may be others.
    mutating func update(_ state: PanelState) -> Bool

    /// The reads whose answers the lines show. None, by default.
    var needs: Set<OperatorRequest> { get }

    /// The draft of the server that the main screen previews. None, by default.
    var previewedDraft: String? { get }

    /// The keys that write at once. None, by default.
    var confirmations: [Key] { get }

    /// Whether there is work left for ``continueWork()``. No, by default.
    var isWorking: Bool { get }

    /// Does a part of the work, which may change the lines. Nothing, by default.
    mutating func continueWork()
}

/// The pages of a list, each with a digit as its key.
struct ListPages: Hashable, Sendable {
    let names: [String]
    var shown = 0

    static let none = ListPages(names: [])

    /// The names with their keys as a line that fits; where room is short, first the keys, then the ends of the names are left out.
    func line(columns: Int) -> ListLine {
        let forms = [
            names.enumerated().map { "\($0 + 1) \($1)" }, names, names.map { String($0.prefix(4)) },
            names.indices.map { "\($0 + 1)" },
        ]
        let texts = forms.first { $0.reduce(1) { $0 + $1.columnWidth + 1 } <= columns } ?? forms[forms.count - 1]
        let spans = texts.enumerated().map { index, text in
            let isShown = index == shown
            let text = isShown ? "[\(text)]" : text
            return ListLine.Span(text, isShown ? .title : .dimmed, target: .own(.page(index)))
        }
        return ListLine(Array(spans.map { [$0] }.joined(separator: [.init(" ")])))
    }
}

extension ListContent {
    var commands: [ScreenCommand<PageAction>] { [] }
    var backKeys: [Key] { [] }
    var savedText: SaveRequest? { nil }
    var needs: Set<OperatorRequest> { [] }
    var previewedDraft: String? { nil }
    var confirmations: [Key] { [] }
    var pages: ListPages {
        get { .none }
        set {}
    }

    var isWorking: Bool { false }

    mutating func continueWork() {}
    func isSidePanel(in size: Size) -> Bool { false }
}

/// A list of lines that is scrolled and filtered: the help, the errors, the log, a key in full.
struct ListScreen<Content: ListContent>: ListPanel {
    private(set) var content: Content
    let keys: UserKeys
    var size: Size {
        didSet { if size != oldValue { placeChanged() } }
    }
    var feedback = ""
    var list = ListState()
    /// All lines, laid out once: there may be many.
    private var sections: [[ListLine]] = []
    /// The lines that the filter has found, or all.
    private(set) var lines: [ListLine] = []
    private(set) var normalPlace: PanelPlace

    init(_ content: Content, size: Size, keys: UserKeys) {
        (self.content, self.size, self.keys) = (content, size, keys)
        normalPlace = .list(in: size)
        placeChanged()
    }

    mutating func placeChanged() {
        let isSidePanel = content.isSidePanel(in: size)
        normalPlace = .list(in: size)
        let columns = isSidePanel || list.isZoomed ? place.content.size.columns : PanelPlace.maximumColumns(in: size)
        sections = content.sections(columns: max(columns, 1))
        if !isSidePanel {
            // A filter leaves the frame as it is.
            let all = sections.joined()
            normalPlace = .centered(columns: all.lazy.map(\.columnWidth).max() ?? 0, rows: all.count, in: size)
        }
        find()
    }

    /// Finds the sections that have each word of the filter, in any case.
    private mutating func find() {
        let words = list.words
        let found = sections.filter { lines in
            words.isEmpty || words.areIn(lines.flatMap { $0.spans.map(\.text) + [" "] }.joined())
        }
        lines = Array(found.joined())
        list.clamp(extent)
    }
}

extension ListScreen {
    var name: String { content.title }
    var kind: PanelKind { content.kind }
    var isSidePanel: Bool { content.isSidePanel(in: size) && !list.isZoomed }
    var lineCount: Int { lines.count }
    var starts: [Int]? { [] }
    var backKeys: [Key] { content.backKeys }
    var needs: Set<OperatorRequest> { content.needs }
    var previewedDraft: String? { content.previewedDraft }
    var confirmations: [Key] { content.confirmations }

    func line(_ index: Int) -> ListLine { lines[index] }

    var head: [ListLine] {
        let columns = place.content.size.columns
        return content.pages.names.isEmpty || place.list.size.rows < 3 ? [] : [content.pages.line(columns: columns)]
    }

    var actions: [ScreenCommand<PageAction>] {
        let save = ScreenCommand(PageAction.own(.save), [.character("s")], hint: "Save", help: "Save to a file")
        return content.commands + pageCommands + [save]
    }

    /// The digits, and Tab for the next page.
    private var pageCommands: [ScreenCommand<PageAction>] {
        let pages = content.pages
        guard !pages.names.isEmpty else { return [] }
        let page = { (index: Int) in PageAction.own(.page(index % pages.names.count)) }
        let digits = pages.names.enumerated().map { index, name in
            let key = Key.character(Character("\(index + 1)"))
            return ScreenCommand(page(index), [key], help: "Show the page \(name)")
        }
        let next = ScreenCommand(page(pages.shown + 1), [Key(.tab)], hint: "Next", help: "Show the next page")
        let former = ScreenCommand(page(pages.shown + pages.names.count - 1), [Key(.tab, .shift)])
        return digits + [next, former]
    }

    /// The text to save: of the lines as they are, without what only colours show.
    private var savedText: SaveRequest {
        if let saved = content.savedText { return saved }
        let text = lines.map { String($0.spans.map(\.text).joined().droppingTrailingSpaces()) + "\n" }
        return SaveRequest(path: name.lowercased() + ".txt", text: text.joined())
    }

    mutating func run(_ command: PageCommand) -> ScreenResponse<DemoIntent> {
        switch command {
        case .page(let index):
            content.pages.shown = index
            list.clearFilter()
            list.reset()
            placeChanged()
        case .save: return .done([.toggle(.prompt(.save(savedText)))])
        }
        return .handled
    }

    mutating func filterChanged() {
        if list.filterText != nil { list.reset() }
        find()
    }

    mutating func update(_ state: PanelState) {
        if content.update(state) { placeChanged() }
    }

    var isWorking: Bool { content.isWorking }

    mutating func continueWork() {
        content.continueWork()
        placeChanged()
    }
}
