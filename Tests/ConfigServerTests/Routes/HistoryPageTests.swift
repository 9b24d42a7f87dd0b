// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import TestSupport
import Testing

@testable import ConfigServer

/// Pages of a history: nothing is split, and nothing is left out between one page and the next.
struct HistoryPageTests {
    /// The records of revisions with so many keys each, newest first; the newest has the highest number.
    private static func history(_ sizes: [Int], valueBytes: Int = 1) -> [HistoryRecord] {
        sizes.enumerated().flatMap { index, size in
            (0..<size).map { key in
                let value = EntryValue.string(String(repeating: "x", count: valueBytes))
                return HistoryRecord("k\(key)", value, at: UInt64(sizes.count - index))
            }
        }
    }

    /// - Returns: the page, and how many records each query has read.
    private static func page(
        _ history: [HistoryRecord],
        before: UInt64?,
        limit: Int,
        bytes: Int = 1 << 20
    ) -> (message: HistoryMessage, reads: [Int]) {
        var page = HistoryPage(before: before, records: limit, bytes: bytes)
        var reads: [Int] = []
        while let query = page.query {
            let found = Array(history.lazy.filter { $0.revision < query.before ?? .max }.prefix(query.limit))
            reads.append(found.count)
            page.append(found)
        }
        return (page.message(with: [:]), reads)
    }

    @Test(arguments: 1...5, [200, 1000, 1 << 20])
    func pagesAreTheWholeHistory(limit: Int, bytes: Int) {
        var random = SeededGenerator(seed: UInt64(limit))
        for _ in 0..<200 {
            let history = Self.history(
                (0..<Int.random(in: 0...12, using: &random)).map { _ in .random(in: 1...7, using: &random) }
            )
            var (read, before): ([HistoryRecord], UInt64?) = ([], nil)
            repeat {
                let page = Self.page(history, before: before, limit: limit, bytes: bytes).message
                let isSingle = Set(page.records.map(\.revision)).count == 1
                #expect(page.records.count <= limit && page.json.count <= bytes + 64 || isSingle || history.isEmpty)
                #expect(page.next == nil || page.next == page.records.last?.revision)
                read += page.records
                before = page.next
            } while before != nil
            #expect(read == history)
        }
    }

    @Test func pagesOfLargeValuesEndAtTheirBytes() {
        let history = Self.history(Array(repeating: 1, count: 2000), valueBytes: 50_000)
        let page = Self.page(history, before: nil, limit: 1000)
        #expect(page.message.records.count == 20 && page.message.next == 1981)
        #expect(page.reads.reduce(0, +) <= 33, "no more is read than fits, but for the first piece: \(page.reads)")
    }

    @Test func pagesOfSmallValuesNeedFewQueries() {
        let page = Self.page(Self.history(Array(repeating: 1, count: 2000)), before: nil, limit: 1000)
        #expect(page.message.records.count == 1000 && page.message.next == 1001)
        #expect(page.reads.count <= 6, "\(page.reads)")
    }
}
