// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TestSupport
import Testing

@testable import ConfigServer

/// Pages of a history: nothing is split, and nothing is left out between one page and the next.
struct HistoryPageTests {
    /// The records of revisions with so many keys each, newest first; the newest has the highest number.
    private static func history(_ sizes: [Int]) -> [HistoryRecord] {
        sizes.enumerated().flatMap { index, size in
            (0..<size).map { key in
                HistoryRecord(
                    revision: UInt64(sizes.count - index),
                    key: "k\(key)",
                    value: .integer(1),
                    author: nil,
                    message: nil,
                    updatedAt: Timestamp(milliseconds: 0)
                )
            }
        }
    }

    /// What the route does: asks for more until a page is whole.
    private static func page(_ history: [HistoryRecord], before: UInt64?, limit: Int) -> HistoryMessage {
        let rest = history.filter { $0.revision < before ?? .max }
        var count = limit + 1
        while true {
            let records = Array(rest.prefix(count))
            if let page = HistoryMessage(first: limit, of: records, hasMore: records.count == count) { return page }
            count *= 2
        }
    }

    @Test func aRevisionOfThreeKeysHidesNoOther() {
        // As it was shown: three keys in 41, and 40 and 39 behind it.
        let history = Self.history([3] + Array(repeating: 1, count: 40))
        let first = Self.page(history, before: nil, limit: 2)
        #expect(first.records.map(\.revision) == [41, 41, 41])
        #expect(first.next == 41)
        #expect(Self.page(history, before: 41, limit: 2).records.map(\.revision) == [40, 39])
    }

    @Test(arguments: 1...5)
    func pagesAreTheWholeHistory(limit: Int) {
        var random = SeededGenerator(seed: UInt64(limit))
        for _ in 0..<200 {
            let history = Self.history(
                (0..<Int.random(in: 0...12, using: &random)).map { _ in .random(in: 1...7, using: &random) }
            )
            var (read, before): ([HistoryRecord], UInt64?) = ([], nil)
            repeat {
                let page = Self.page(history, before: before, limit: limit)
                #expect(page.records.count <= limit || Set(page.records.map(\.revision)).count == 1)
                #expect(page.next == nil || page.next == page.records.last?.revision)
                read += page.records
                before = page.next
            } while before != nil
            #expect(read == history)
        }
    }
}
