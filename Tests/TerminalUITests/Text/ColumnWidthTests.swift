import Testing

@testable import TerminalUI

struct ColumnWidthTests {
    @Test(arguments: WidthFixtures.all)
    func textTakesTheColumnsOfItsClusters(text: String, columns: Int) {
        #expect(text.columnWidth == columns, "\(text.escaped)")
        #expect(text[...].columnWidth == columns)
        #expect(text.map(\.columnWidth).reduce(0, +) == columns)
    }

    @Test
    func thereAreFixturesOfEveryKind() {
        #expect(WidthFixtures.all.count >= 200)
    }

    @Test
    func printableASCIITakesOneColumnEach() {
        for value in UInt8.min..<0x80 {
            let isPrintable = (0x20..<0x7F).contains(value)
            #expect(Character(Unicode.Scalar(value)).columnWidth == (isPrintable ? 1 : 0))
            #expect(String(Unicode.Scalar(value)).columnWidth == (isPrintable ? 1 : 0))
        }
    }

    @Test
    func tablesAreSortedRunsThatDoNotOverlap() {
        let tables = [WidthTable.zeroWidth, WidthTable.wide, WidthTable.emojiVariation, WidthTable.pictographic]
        for table in tables {
            #expect(table.boundaries.count.isMultiple(of: 2))
            #expect(zip(table.boundaries, table.boundaries.dropFirst()).allSatisfy { $0 < $1 })
        }
    }

    @Test
    func noScalarIsBothWideAndOfNoWidth() {
        let starts = (WidthTable.zeroWidth.boundaries + WidthTable.wide.boundaries).compactMap(Unicode.Scalar.init)
        #expect(!starts.contains { WidthTable.zeroWidth.contains($0) && WidthTable.wide.contains($0) })
    }

    @Test(arguments: [([UInt32](), false), ([5, 9], true), ([5, 7, 8, 9], false), ([7, 8], true), ([8, 9], false)])
    func setHoldsWhatLiesInARun(boundaries: [UInt32], holdsSeven: Bool) {
        #expect(ScalarSet(boundaries: boundaries).contains("\u{7}") == holdsSeven)
    }
}
