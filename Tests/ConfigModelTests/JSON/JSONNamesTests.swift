// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TestSupport
import Testing

/// Names in objects are the same if their bytes are, as in JSON, and not if they only look the same.
struct JSONNamesTests {
    @Test(arguments: EquivalentNames.pairs)
    func objectHasNamesThatOnlyLookTheSame(_ left: String, _ right: String) throws {
        var found: [(name: String, value: EntryValue)] = []
        try JSONScanner.object(Array(#"{"\#(left)": 1, "\#(right)": 2}"#.utf8)) { (name, scanner) throws(ConfigError) in
            found.append((name, try scanner.value()))
        }
        #expect(found.map { ExactString($0.name) } == [ExactString(left), ExactString(right)])
        #expect(found.map(\.value) == [1, 2])
    }

    @Test(arguments: EquivalentNames.all)
    func objectRefusesTheSameNameTwice(_ name: String) throws {
        let escaped = name.utf16.map { "\\u" + String(0x10000 + Int($0), radix: 16).dropFirst() }.joined()
        #expect {
            try JSONScanner.object(Array(#"{"\#(name)": 1, "\#(escaped)": 2}"#.utf8)) {
                (_, scanner) throws(ConfigError) in
                try scanner.skipValue()
            }
        } throws: {
            ($0 as? ConfigError)?.code == .duplicateKey
        }
    }

    @Test func pointerHasTheNamesOfItsPlace() {
        let names = ["a/b", "~", "~1", "", "e\u{301}", "\u{E9}"]
        let place = names.reduce(JSONPointer.root) { $0.appending($1) }.appending(7)
        let found = JSONPointer.tokens(of: place.description)
        #expect(found.map { ExactString($0) } == (names + ["7"]).map { ExactString($0) })
    }

    @Test(arguments: EquivalentNames.pairs)
    func documentLeavesOutEachInvalidKey(_ left: String, _ right: String) throws {
        let keys = [left, right].filter { KeyRule.problem(in: $0) != nil }
        for entries in [#""\#(left)": {"x": 1}, "\#(right)": {"x": 2}"#, #""\#(right)": 2, "\#(left)": 1"#] {
            let document = try document("{\(entries)}")
            #expect(document.leftOut == Set(keys.map { ExactString($0) }))
            #expect(document.entries.count == 2 - keys.count)
        }
    }
}
