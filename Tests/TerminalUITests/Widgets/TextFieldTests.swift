// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import TerminalUI

struct TextFieldTests {
    private static let pieces = [
        "a", "B", " ", "é", "e\u{301}", "\u{301}", "世", "👩‍👩‍👧", "🇩🇪", "\u{1F1E9}", "\u{200D}", "\n", "-", "ᄀ", "ᅡ",
    ]
    private static let keys = [
        "Left", "Right", "Home", "End", "Backspace", "Delete", "Ctrl-Left", "Ctrl-Right", "Ctrl-W", "Ctrl-K", "Ctrl-U",
        "Alt-d", "Ctrl-A", "Ctrl-E",
    ].compactMap { Key($0) }

    /// For any input, the cursor stays between clusters, the text is that of its clusters, and the window fits.
    @Test func anyKeysLeaveAWholeField() {
        var random = SeededGenerator(seed: 6)
        for _ in 0..<2_000 {
            var field = TextField(String((0..<8).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()))
            for _ in 0..<20 {
                if Bool.random(using: &random), let key = Self.keys.randomElement(using: &random) {
                    let isTaken = field.handle(key)
                    #expect(isTaken)
                } else {
                    if Bool.random(using: &random) { field.select() }
                    field.insert(Self.pieces.randomElement(using: &random) ?? "")
                }
                #expect((0...field.clusters.count).contains(field.cursor))
                #expect(Array(field.text) == field.clusters)
                let columns = Int.random(in: 2...12, using: &random)
                let window = field.window(columns: columns)
                #expect((window.before + window.under + window.after).columnWidth <= columns)
                #expect(!window.under.isEmpty)
            }
        }
    }

    /// Typing at the cursor and taking it back leaves what was there.
    @Test func backspaceUndoesALetter() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            let text = (0..<8).map { _ in ["a", "世", "👩‍👩‍👧", " "].randomElement(using: &random) ?? "" }.joined()
            var field = TextField(text)
            for _ in 0..<Int.random(in: 0...8, using: &random) { _ = field.handle(Key(.left)) }
            let before = field
            field.insert("x")
            _ = field.handle(Key(.backspace))
            #expect(field == before)
        }
    }

    @Test(arguments: [("Ctrl-Left", 8), ("Home", 0), ("Left", 11), ("Alt-b", 8)])
    func movesGoByClustersAndWords(name: String, cursor: Int) throws {
        var field = TextField("one, 世界 two!")
        let key = try #require(Key(name))
        _ = field.handle(key)
        #expect(field.cursor == cursor)
    }

    @Test(
        arguments: [
            (["x"], "x"), (["Backspace"], ""), (["Delete"], ""), (["Ctrl-W"], ""), (["Ctrl-U"], ""),
            (["Ctrl-K"], ""), (["Left", "x"], "xone two"), (["Right", "x"], "one twox"), (["Home", "x"], "xone two"),
            (["End", "x"], "one twox"), (["Ctrl-A", "x"], "xone two"), (["Ctrl-E", "x"], "one twox"),
            (["x", "y"], "xy"),
        ] as [([String], String)]
    )
    func selectedTextIsReplacedOrKept(names: [String], text: String) throws {
        var field = TextField(selecting: "one two")
        for name in names { _ = field.handle(try #require(Key(name))) }
        #expect(field.text == text && !field.isSelected)
    }

    @Test func selectionIsDrawnAndEndsWithAClick() {
        var field = TextField(selecting: "one")
        let tones = { (field: TextField) in field.spans(columns: 8, hasFocus: true, target: 0).map(\.tone) }
        #expect(tones(field) == [.selected, .caret, .field])
        field.click(column: 1, columns: 8)
        #expect(tones(field) == [.field, .caret, .field] && field.cursor == 1)
        field.select()
        field.insert("two")
        #expect(field.text == "two")
        #expect(!TextField(selecting: "").isSelected)
    }

    @Test(
        arguments: [
            ([], "…efgh", " ", ""), (["Home"], "", "a", "bcde…"), (["Left", "Left", "Left"], "…cde", "f", "…"),
            (["Home", "Right", "Right"], "ab", "c", "de…"),
        ] as [([String], String, String, String)]
    )
    func endsWhereTheTextGoesOnAreMarked(names: [String], before: String, under: String, after: String) throws {
        var field = TextField("abcdefgh")
        for name in names { _ = field.handle(try #require(Key(name))) }
        let window = field.window(columns: 6)
        #expect((window.before, window.under, window.after) == (before, under, after))
    }

    @Test func lineBreaksAreSeen() {
        var field = TextField()
        field.insert("a\r\nb\rc\r\n".withoutLineBreakAtEnd)
        #expect(field.text == "a\nb\nc")
        #expect(field.window(columns: 8).before == "a↵b↵c")
    }

    @Test func aClickFindsTheCluster() {
        var field = TextField("a世b")
        for (column, cursor) in [(0, 0), (1, 1), (2, 1), (3, 2), (4, 3), (9, 3)] {
            field.click(column: column, columns: 10)
            #expect(field.cursor == cursor)
        }
    }
}
