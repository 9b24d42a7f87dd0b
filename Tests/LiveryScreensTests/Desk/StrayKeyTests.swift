// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import TerminalUI
import TestSupport
import Testing

@testable import LiveryScreens

/// Random keys, words and uses of the mouse on every panel: only a question's own key publishes, nothing typed is lost, and
/// every state can be drawn and left.
struct StrayKeyTests {
    private static let runs = 1200
    private static let inputsPerRun = 8
    private static let sizes = [(80, 24), (40, 10), (200, 60), (1, 1)].map { Size(columns: $0, rows: $1) }

    private static let contents = NamespaceContents(
        values: ["app.background.color": "#FFB6C1", "app.limit": 20, "app.menu": ["a": [1, 2]], "app.on": true],
        schemas: ["app.limit": ["type": "integer", "minimum": 1, "maximum": 100]],
        rules: ["app.on": ["variants": ["a": true, "b": false], "defaultVariant": "a"]]
    )

    /// The keys that lead to each panel.
    private static let ways = [
        "", "?", "l", "!", "t", "t Enter", "t Enter Enter", "S", "C", "I", ":", "h", "h Enter", "h j b", "i", "i /",
        "i :",
        "i Enter", "i Enter 3", "i Enter 4", "i Enter h", "i R", "i R a", "i R w", "i e", "i j e", "i j e Up",
        "i j e Up q",
        "i j e Up Enter", "i j e Up Enter Tab", "i j j e", "i j j j e Space Enter", "i a", "i M", "i D", "i d",
        "i j e Up Ctrl-N P", "i j e Up Ctrl-N P Tab", "i j e Up Ctrl-N q", "v", "v Enter", "v Enter n", "v Enter T",
        "v Enter x", "v Enter p", "v Enter e",
    ].map { $0.split(separator: " ").map(String.init) }

    private static let words = [
        "user=42", "new.num", "undo", "Publish", "quit", "42", "#FF8800", "[1,2", "blue=#0000FF", "config.json", "you",
        "copy", "Why",
    ]
    private static let keys =
        Array("aAbBcCdDeEfFgGhHiIjkKlMnNoOpPqrRsStTuvwWxXyYzZ!?/:0123=<+-. ").map { Key.character($0) }
        + [
            "Enter", "Enter", "Enter", "Esc", "Esc", "Up", "Down", "Left", "Right", "Tab", "Home", "End", "PageDown",
            "Backspace", "Delete", "Ctrl-A", "Ctrl-D", "Ctrl-N", "Ctrl-R", "Ctrl-S", "Ctrl-T", "Ctrl-U", "Ctrl-W",
            "Ctrl-X",
            "Ctrl-C", "Ctrl-P", "Alt-e", "Alt-u", "F1",
        ].compactMap { Key($0) }

    /// A word, mostly with Enter, or a key, a use of the mouse or a paste.
    private static func input(in size: Size, _ random: inout SeededGenerator) -> [InputEvent] {
        switch Int.random(in: 0..<10, using: &random) {
        case 0...2:
            let word = (words.randomElement(using: &random) ?? "").map { InputEvent.key(.character($0)) }
            return word + (Int.random(in: 0..<4, using: &random) > 0 ? [.key(Key(.enter))] : [])
        case 3:
            let (column, row) = (
                Int.random(in: 0..<size.columns, using: &random), Int.random(in: 0..<size.rows, using: &random)
            )
            let press = MouseEvent.Action.press(button: 0)
            let action = [press, press, press, .drag(button: 0), .release(button: 0), .scroll(1)].randomElement(
                using: &random
            )
            return [.mouse(MouseEvent(action ?? press, at: Point(column: column, row: row)))]
        case 4: return [.paste(words.randomElement(using: &random) ?? "")]
        default: return [.key(keys.randomElement(using: &random) ?? Key(.enter))]
        }
    }

    @Test("Stray keys publish nothing and lose nothing", arguments: 0..<4)
    func strayKeysAreHarmless(part: Int) async throws {
        var random = SeededGenerator(seed: UInt64(part + 1))
        var starts: [EditDesk] = []
        for way in Self.ways {
            var desk = try EditDesk(Self.contents)
            desk.source.write(ConfigDiff([KeyChange(key: "app.limit", old: 20, new: 25)]), by: "ann")
            desk.source.change { $0.drafts = [.test(hasConflict: false)] }
            for key in way { try await desk.press(key) }
            starts.append(desk)
        }
        var (writes, moment) = (0, ContinuousClock.now)
        for run in 0..<Self.runs / 4 {
            var desk = starts[run % starts.count].copy
            var trail = Self.ways[run % starts.count]
            for _ in 0..<Self.inputsPerRun {
                // A word is typed at once, after a pause, while answers come at any time.
                moment += .seconds(1)
                for (index, event) in Self.input(in: desk.model.size, &random).enumerated() {
                    moment += .milliseconds(50)
                    trail.append("\(event)")
                    writes += try check(event, isFirst: index == 0, at: moment, on: &desk, trail)
                    if Bool.random(using: &random) { try await desk.answer() }
                }
                try await desk.answer()
                if desk.external != nil { try await desk.endEditor(.success(run.isMultiple(of: 2) ? "5" : "{")) }
            }
            if run.isMultiple(of: 10) { try await leave(&desk, in: Self.sizes[run / 10 % Self.sizes.count], trail) }
        }
        #expect(writes > 0)
    }

    /// Draws the program in a size, and leaves all of its panels.
    private func leave(_ desk: inout EditDesk, in size: Size, _ trail: [String]) async throws {
        desk.send(.resized(size))
        #expect(desk.model.view().faults == [], "\(size) after \(trail)")
        for _ in 0..<20 where desk.top != nil { try await desk.press("Esc") }
        try await desk.press("i")
        #expect(desk.top == .inspector, "after \(trail)")
    }

    /// Sends an event, and compares what was typed before and after it.
    ///
    /// - Parameter isFirst: whether it comes after a pause, and not within a word.
    /// - Returns: the number of writes that it has requested.
    private func check(
        _ event: InputEvent,
        isFirst: Bool,
        at moment: ContinuousClock.Instant,
        on desk: inout EditDesk,
        _ trail: [String]
    ) throws -> Int {
        let (before, top, writes) = (Typed(desk.model), desk.top, desk.requests.count { $0.isWrite })
        let isQuestion = top.map { $0.layer == .question || $0.layer == .review || $0.layer == .staged } == true
        let isAnswered = desk.model.panels.last.map { confirms(event, isFirst: isFirst, on: $0) } == true
        let isConfirmed = isAnswered && (isQuestion || top?.layer == .restore || top?.layer == .serverDraft)
        desk.send(.input(event), at: moment)
        let new = desk.requests.count { $0.isWrite } - writes
        #expect(new <= 0 || isConfirmed, "published after \(trail)")
        let resolves = event == .key(.character("t")) && isQuestion
        guard !isConfirmed, !resolves else { return max(new, 0) }
        let after = Typed(desk.model)
        #expect(before.staged.isSubset(of: after.staged), "a staged change was lost after \(trail)")
        let lost = before.drafts.subtracting(after.drafts).filter { kind in
            // Typed back to the value before, on the panel that is still open; or staged.
            desk.top?.draft != kind && !kind.entries.allSatisfy(after.staged.contains)
        }
        #expect(lost.isEmpty, "\(lost) was lost after \(trail)")
        return max(new, 0)
    }

    private func confirms(_ event: InputEvent, isFirst: Bool, on panel: any DemoPanel) -> Bool {
        switch event {
        case .key(let key): panel.confirmations.contains(key) && (isFirst || key.isChord)
        case .mouse(let mouse): mouse.action == .press(button: 0)
        case .paste, .focus, .reply: false
        }
    }

    /// What is typed and not published.
    private struct Typed {
        let staged: Set<String>
        let drafts: Set<PanelKind>

        init(_ model: DemoModel) {
            staged = Set(model.desk.staged.changes.changes.map(\.heldKey))
            let open = model.panels.filter { $0.unsaved != nil }.map(\.kind.draft)
            drafts = Set(model.drafts.keys).union(open)
        }
    }
}

extension PanelKind {
    /// The entries of a draft, or of a review with a message.
    fileprivate var entries: [String] {
        if case .review(let proposal) = self { proposal.changes.changes.map(\.heldKey) } else { draftedEntries }
    }
}
