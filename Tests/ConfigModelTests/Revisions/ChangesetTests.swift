// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TestSupport
import Testing

struct ChangesetTests {
    private func change(
        _ from: UInt64,
        _ to: UInt64,
        _ upserts: [String: EntryValue] = [:],
        _ deletes: Set<String> = []
    ) -> Changeset {
        Changeset(from: from, to: to, digest: ConfigDigest(), upserts: upserts, deletes: deletes)
    }

    @Test func joinsOnlyWhatFollows() {
        #expect(change(1, 2).followed(by: change(3, 4)) == nil)
        #expect(change(1, 2).followed(by: change(2, 4)) == change(1, 4))
    }

    @Test func aChainJoinedLeadsWhereItsLinksLead() throws {
        var generator = SeededGenerator(seed: 3)
        let keys = ["a", "b", "c", "d"]
        for _ in 0..<500 {
            let start: [String: EntryValue] = ["a": .integer(0), "b": .integer(0)]
            let links = (1...6).map { number -> Changeset in
                var link = change(UInt64(number), UInt64(number + 1))
                for key in keys where Bool.random(using: &generator) {
                    if Bool.random(using: &generator) {
                        link.upserts[key] = .integer(number)
                    } else {
                        link.deletes.insert(key)
                    }
                }
                return link
            }
            var joined = links[0]
            for link in links.dropFirst() { joined = try #require(joined.followed(by: link)) }
            #expect(applied([joined], to: start) == applied(links, to: start))
        }
    }

    private func applied(_ links: [Changeset], to start: [String: EntryValue]) -> [String: EntryValue] {
        links.reduce(into: start) { state, link in
            for key in link.deletes { state[key] = nil }
            state.merge(link.upserts) { $1 }
        }
    }
}
