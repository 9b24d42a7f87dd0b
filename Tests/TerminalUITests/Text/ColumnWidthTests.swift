// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TerminalUI

struct ColumnWidthTests {
    @Test(arguments: WidthFixtures.all)
    func textTakesTheColumnsOfItsClusters(text: String, columns: Int) {
        #expect(text.columnWidth == columns, "\(text.escaped)")
        #expect(text[...].columnWidth == columns)
        #expect(text.map(\.columnWidth).reduce(0, +) == columns)
    }

    @Test(arguments: WidthFixtures.all)
    func clustersMatchTheText(text: String, columns: Int) {
        let text = "a" + text.sanitized() + "b"
        var clusters: [Character] = []
        var place = text.startIndex
        while place < text.endIndex {
            let (cluster, width, next) = text.cluster(at: place)
            clusters.append(cluster)
            #expect(width == cluster.columnWidth)
            place = next
        }
        #expect(clusters == Array(text), "\(text.escaped)")
    }

    @Test
    func printableASCIITakesOneColumnEach() {
        for value in UInt8.min..<0x80 {
            let isPrintable = (0x20..<0x7F).contains(value)
            #expect(Character(Unicode.Scalar(value)).columnWidth == (isPrintable ? 1 : 0))
            #expect(String(Unicode.Scalar(value)).columnWidth == (isPrintable ? 1 : 0))
        }
    }

    @Test(
        arguments: [([], 0), ([0x52, 0x90], 2), ([0x52, 0x70, 0x81], 0), ([0x74, 0x80], 4), ([0x81], 0)]
            as [([UInt32], UInt32)]
    )
    func aScalarHasThePropertiesOfItsRun(runs: [UInt32], properties: UInt32) {
        #expect(WidthTable(runs: runs)["\u{7}"].rawValue == properties)
    }
}
