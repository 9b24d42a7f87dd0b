// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ConfigModel

struct ConfigDigestTests {
    private let entries: [String: EntryValue] = [
        "app.background.color": .string("#FFB6C1"), "app.size": .integer(3), "app.names": ["Ä", "😸"],
    ]

    private func digest(_ entries: [String: EntryValue]) -> ConfigDigest {
        ConfigDigest(entries.lazy.map { ($0.key, $0.value) })
    }

    @Test func isTheSumOfTheFirstEightBytesOfEachEntrysHash() {
        let expected = entries.reduce(UInt64(0)) { sum, entry in
            var hash = SHA256()
            hash.update((entry.key + "\0" + entry.value.canonicalJSON).utf8)
            return sum &+ hash.finish().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
        #expect(digest(entries).rawValue == expected)
    }

    @Test func comesBackWhenAChangeIsUndone() {
        var changed = digest(entries)
        changed.remove(.integer(3), forKey: "app.size")
        changed.insert(.double(3.5), forKey: "app.size")
        #expect(changed != digest(entries))
        changed.remove(.double(3.5), forKey: "app.size")
        changed.insert(.integer(3), forKey: "app.size")
        #expect(changed == digest(entries))
    }

    @Test func isReadAsItIsWritten() {
        let digest = digest(entries)
        #expect(ConfigDigest(digest.description) == digest)
        #expect(ConfigDigest().description == "0000000000000000")
        #expect(ConfigDigest("0") == nil)
        #expect(ConfigDigest("00000000000000AB") == nil)
        #expect(ConfigDigest("+000000000000001") == nil)
    }
}
