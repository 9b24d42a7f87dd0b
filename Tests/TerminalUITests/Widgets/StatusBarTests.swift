// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TerminalUI

struct StatusBarTests {
    private typealias Item = StatusBar.Item

    private static let bar = StatusBar(items: [
        Item("● live", rank: 0),
        Item("a problem that takes room", rank: 1, isTruncatable: true),
        Item("config.json", rank: 4),
        Item("#FFB6C1", rank: 2),
        Item("Enter Open", rank: 5, isTrailing: true),
        Item("? Help", rank: 3, isTrailing: true),
    ])

    @Test func rowHasTheExactWidth() {
        var texts = HostileText(seed: 7)
        for columns in 0...200 {
            let items = (0..<6).map { rank in
                Item(texts.next(), rank: rank, isTrailing: rank.isMultiple(of: 3), isTruncatable: rank > 2)
            }
            let text = StatusBar(items: items).text(columns: columns)
            #expect(text.columnWidth == columns, "\(text.escaped)")
        }
    }

    @Test func itemAtAColumnIsFound() {
        for columns in -1...120 {
            let text = Array(Self.bar.text(columns: columns))
            for column in -1...121 {
                let item = Self.bar.item(at: column, columns: columns)
                guard text.indices.contains(column) else {
                    #expect(item == nil)
                    continue
                }
                #expect(item.map { $0.text.contains(text[column]) } ?? (text[column] == " "), "\(column) of \(columns)")
            }
        }
        #expect(Self.bar.item(at: 1, columns: 80)?.text == "● live")
        #expect(Self.bar.item(at: 78, columns: 80)?.text == "? Help")
        #expect(Self.bar.item(at: 70, columns: 80)?.text == "Enter Open")
    }

    @Test func aFactIsShortenedBeforeItIsCut() {
        let bar = StatusBar(items: [Item("/a/long/path: wrong", shorter: "path: wrong", rank: 0)])
        #expect(bar.text(columns: 21) == " /a/long/path: wrong ")
        #expect(bar.text(columns: 20) == " path: wrong        ")
        #expect(bar.text(columns: 10) == " path: w… ")
    }

    @Test(arguments: [
        (0, ""), (1, " "), (2, "  "), (7, " a pr… "), (8, " ● live "), (10, " ● live   "), (11, " ● live  … "),
        (20, " ● live  a problem… "), (35, " ● live  a problem that takes room "),
        (43, " ● live  a problem that takes room  ? Help "), (44, " ● live  a problem that takes room  #FFB6C1 "),
        (52, " ● live  a problem that takes room  #FFB6C1  ? Help "),
    ])
    func theMostImportantFactsStay(columns: Int, expected: String) {
        #expect(Self.bar.text(columns: columns) == expected)
    }

    @Test func aFactAppearsOnlyAfterAllOfHigherRankThatFit() {
        let items = (0..<5).map { Item("\($0)\($0)\($0)", rank: 4 - $0, isTrailing: $0 == 2) }
        let bar = StatusBar(items: items)
        for columns in 0...40 {
            let shown = bar.text(columns: columns).split(separator: " ").map(String.init)
            let ranks = shown.compactMap { word in items.first { $0.text == word }?.rank }
            #expect(ranks.sorted() == Array(0..<ranks.count), "\(columns)")
            #expect(ranks.count == min(max(columns, 0) / 5, 5), "\(columns)")
        }
    }
}
