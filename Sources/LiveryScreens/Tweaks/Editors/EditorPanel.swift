// SPDX-License-Identifier: Apache-2.0

import TerminalUI

/// A panel whose lines are those of an editor.
protocol EditorPanel: DemoPanel {
    /// Beside the main screen, by default.
    var place: PanelPlace { get }
    var pane: EditorPane { get set }
    /// The editor; `nil` until its value is known.
    var editor: (any ValueEditing)? { get }

    /// The part of the editor that a command presses; `nil` for another command.
    static func part(of command: Command) -> [Int]?

    /// Passes input to the editor.
    ///
    /// - Returns: `nil` if the editor ignores it.
    mutating func pass(_ input: EditorInput) -> ScreenResponse<DemoIntent>?

    /// Handles a key.
    mutating func press(_ key: Key) -> ScreenResponse<DemoIntent>
}

extension EditorPanel {
    var takesText: Bool { editor?.takesText ?? false }
    var place: PanelPlace { .side(in: size) }
    var mainSize: Size { place.main(in: size) }
    var page: Int { max(place.list.size.rows, 1) }

    var notes: [ScreenHelp] {
        [
            ScreenHelp("Arrows, Tab", "Move the focus or change the value"),
            ScreenHelp("Click", "Press a button, select a value, or focus a field"),
            ScreenHelp("Drag", "Move a slider"),
            ScreenHelp("Wheel", "Change the value under the pointer, or scroll"),
        ]
    }

    mutating func endDrag() { pane.drag = nil }

    /// The keys that scroll by a page up or down.
    static func scrolling(_ command: (_ pages: Int) -> Command) -> [ScreenCommand<Command>] {
        [(Key.Code.pageUp, -1, "Scroll up by a page"), (.pageDown, 1, "Scroll down by a page")].map {
            ScreenCommand(command($1), [Key($0)], help: $2)
        }
    }

    mutating func scroll(pages: Int, of lines: [Line]) {
        pane.scroll(by: pages * max(page - 1, 1), count: lines.count, page: page)
    }

    /// - Parameters:
    ///   - title: the title, where there is room for it.
    ///   - name: a shorter one.
    func panel(titled title: String, or name: String, _ lines: [Line]) -> Panel<Command> {
        Panel(
            place,
            title: [.init(title.columnWidth <= place.titleColumns ? title : name, .title)],
            hints: commands,
            isTyping: takesText,
            feedback: feedback,
            count: lines.count,
            top: pane.top(of: lines, page: page)
        ) { lines[$0] }
    }

    /// Passes input to the editor, and shows the line that has the keyboard.
    ///
    /// - Returns: `nil` if the editor ignores it.
    mutating func handle(_ input: EditorInput) -> ScreenResponse<DemoIntent>? {
        guard let response = pass(input) else { return nil }
        feedback = ""
        pane.followKeyboard()
        return response
    }

    /// Passes a key to its command or to the editor.
    ///
    /// - Parameter prefersCommand: whether the command comes first, as it does for keys with Alt or Ctrl.
    mutating func pass(_ key: Key, prefersCommand: Bool = false) -> ScreenResponse<DemoIntent> {
        // Those with Alt or Ctrl mean the same in a field.
        if prefersCommand || key.isChord, case let response = perform(key), response != .ignored { return response }
        // Only a field handles other letters with Ctrl or Alt.
        if !key.isChord || takesText, let response = handle(EditorInput.key(key)) { return response }
        let response = perform(key)
        return response == .ignored && key.staysInEditor ? .handled : response
    }

    mutating func handle(_ event: InputEvent) -> ScreenResponse<DemoIntent> {
        switch event {
        case .key(let key): press(key)
        case .mouse(let mouse): use(mouse)
        case .paste(let text): handle(EditorInput.paste(text.withoutLineBreakAtEnd)) ?? .handled
        case .focus, .reply: .ignored
        }
    }

    /// Shows a part that was clicked where it was, although a part above it may have been closed, if the keyboard stays in sight.
    private mutating func keep(_ clicked: [Int], inRow row: Int) {
        pane.followKeyboard()
        let panel = panel
        let line = panel.lines.firstIndex { line in
            ([line.target] + line.spans.map(\.target)).contains { $0.flatMap(Self.part) == clicked }
        }
        guard let line else { return }
        pane.scroll(to: panel.scrollbar.top + line - row, count: panel.scrollbar.count, page: page)
        if !self.panel.lines.contains(where: \.isFocused) { pane.followKeyboard() }
    }

    private mutating func use(_ mouse: MouseEvent) -> ScreenResponse<DemoIntent> {
        switch mouse.action {
        // A release may have been lost, as outside the terminal's window.
        case .press, .release: endDrag()
        case .drag, .scroll: break
        }
        let panel = panel
        let place = panel.part(at: mouse.point)
        var hit: (part: [Int], offset: Int)?
        if case .target(let command, let offset) = place { hit = Self.part(of: command).map { ($0, offset) } }
        // The lines scroll if the editor ignores the wheel.
        if case .scroll(let steps) = mouse.action, let hit, let response = handle(.wheel(hit.part, steps)) {
            return response
        }
        guard let editor else { return place == nil ? .ignored : .handled }
        if pane.scroll(by: mouse, on: panel, page: page) { return .handled }
        switch (mouse.action, place) {
        case (.press, nil): return .ignored
        case (.press(button: 0), .target(let command, let offset)):
            guard let hit else { return perform(command) }
            pane.drag = EditorPane.Drag(part: hit.part, origin: mouse.point.column - offset)
            guard let response = handle(EditorInput.click(hit.part, offset: offset)) else { return .handled }
            keep(hit.part, inRow: mouse.point.row - panel.place.list.origin.row)
            return response
        case (.drag(button: 0), _):
            guard let drag = pane.drag, let part = editor.part(draggedFrom: drag.part, over: hit?.part) else { break }
            let offset = part == drag.part ? max(mouse.point.column - drag.origin, 0) : hit?.offset ?? 0
            guard let response = pass(.click(part, offset: offset)) else { break }
            feedback = ""
            return response
        default: break
        }
        return .handled
    }
}

/// The lines of an editor in a panel: how far they are scrolled, and the mouse on their parts.
struct EditorPane: Sendable {
    /// A part of the editor that is being dragged, wherever the pointer strays.
    struct Drag: Hashable {
        var part: [Int]
        /// The column of the screen where the part begins.
        var origin: Int
    }

    /// The number of rows by which the user has scrolled the lines; `nil` while they follow the keyboard.
    private var scroll: Int?
    var drag: Drag?
    private var grip = ScrollGrip()

    /// Shows the line with the keyboard again.
    mutating func followKeyboard() { scroll = nil }

    mutating func scroll(by rows: Int, count: Int, page: Int) {
        scroll(to: (scroll ?? 0) + rows, count: count, page: page)
    }

    mutating func scroll(to row: Int, count: Int, page: Int) {
        scroll = Scrollbar(count: count, page: page, top: row).top
    }

    /// Scrolls by the wheel or the scrollbar.
    ///
    /// - Returns: whether the mouse did something to them.
    mutating func scroll<Target>(by mouse: MouseEvent, on panel: Panel<Target>, page: Int) -> Bool {
        guard let top = grip.top(after: mouse, on: panel) else { return false }
        scroll(to: top, count: panel.scrollbar.count, page: page)
        return true
    }

    /// The first line in sight.
    func top<Target>(of lines: [ActiveLine<Target>], page: Int) -> Int {
        scroll ?? ListCursor.top(showing: lines.firstIndex(where: \.isFocused) ?? 0, of: lines.count, rows: page)
    }
}
