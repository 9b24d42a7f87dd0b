// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import LiveryScreens

struct KeyElisionTests {
    @Test(arguments: [
        (["app.color"], 9, ["app.color"]), (["app.background.color"], 11, ["app.b…color"]),
        (["app.a.long.key.max", "app.b.long.key.max"], 9, ["…pp.a.lo…", "…pp.b.lo…"]),
    ])
    func aLongKeyLosesItsMiddle(keys: [String], columns: Int, shown: [String]) {
        #expect(KeyElision(keys, columns: columns).texts(of: keys) == shown)
    }

    @Test func noTwoKeysLookAlike() {
        for seed in UInt64(1)...300 {
            var random = SeededGenerator(seed: seed)
            let words = ["alpha", "beta", "gamma", "service", "limit", "x", "y"]
            let keys = Set(
                (0..<30).map { _ in
                    (0..<Int.random(in: 2...12, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
                        .joined(separator: ".")
                }
            ).sorted()
            let columns = Int.random(in: 12...40, using: &random)
            let shown = KeyElision(keys, columns: columns).texts(of: keys)
            #expect(Set(shown).count == keys.count, "seed \(seed), \(columns) columns")
            #expect(shown.allSatisfy { $0.count <= columns })
        }
    }
}

extension KeyElision {
    fileprivate func texts(of keys: [String]) -> [String] {
        zip(keys, parts).map { key, parts in
            parts.map { String(decoding: Array(key.utf8)[$0], as: UTF8.self) }.joined(separator: "…")
        }
    }
}
