// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Observing

struct SamenessTests {
    private struct Page: Equatable { var title: String, tags: [String?], numbers = [1, 2] }
    private enum Label: Equatable { case none, text(String), mark(Character) }

    private final class Object: Equatable {
        let text: String
        init(_ text: String) { self.text = text }
        static func == (left: Object, right: Object) -> Bool { left.text == right.text }
    }

    /// Whether values are the same that have a text in one normal form and in another.
    private func ignoresForm<Value: Equatable>(_ value: (String) -> Value) -> Bool {
        let (left, right) = (value("\u{E9}"), value("e\u{301}"))
        #expect(left == right && areSame(left, left) && areSame(right, right))
        return areSame(left, right)
    }

    @Test func textsAreComparedByBytes() {
        #expect(!ignoresForm { $0 })
        #expect(!ignoresForm { $0 + "a" as String? })
        #expect(!ignoresForm { Substring($0) })
        #expect(!ignoresForm { Character($0) })
        #expect(!ignoresForm { ["", $0] })
        #expect(!ignoresForm { ["k": $0] })
        #expect(!ignoresForm { Page(title: $0, tags: []) })
        #expect(!ignoresForm { Page(title: "", tags: ["a", nil, $0]) })
        #expect(!ignoresForm { Label.text($0) })
        #expect(!ignoresForm { Label.mark(Character($0)) })
    }

    @Test func orderOfElementsDoesNotCount() {
        let names = (0..<100).map { "name \($0)" }
        var (table, set) = ([String: [String]](minimumCapacity: 10_000), Set<String>(minimumCapacity: 10_000))
        for name in names.reversed() {
            table[name] = [name]
            set.insert(name)
        }
        let others = Dictionary(uniqueKeysWithValues: names.map { ($0, [$0]) })
        #expect(Array(table.keys) != Array(others.keys), "the orders differ")
        #expect(areSame(table, others) && areSame([set], [Set(names)]))
        table["name 7"] = ["\u{E9}"]
        var edited = table
        edited["name 7"] = ["e\u{301}"]
        #expect(table == edited && !areSame(table, edited))
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        #expect(!areSame([[composed], [decomposed, decomposed]] as Set, [[composed, decomposed], [decomposed]]))
    }

    @Test func otherTypesAreComparedByEquality() {
        #expect(ignoresForm { Object($0) })
        #expect(ignoresForm { $0.count })
        #expect(areSame(1.0, 1.0) && !areSame(1, 2) && !areSame("a", "b"))
        #expect(areSame(Double.nan, .nan) && !areSame(Double.nan, 0) && areSame(Double?.some(.nan), .nan))
        #expect(areSame([UInt8](repeating: 1, count: 100_000), [UInt8](repeating: 1, count: 100_000)))
    }

    @Test func updatesHaveEachNormalForm() async {
        let title = Observed("\u{E9}")
        let updates = DistinctUpdates(value: { title.value }) { hint in [title.observe { _, _ in hint() }] }
        var iterator = updates.makeAsyncIterator()
        for form in ["\u{E9}", "e\u{301}", "\u{E9}"] {
            title.replace(with: form)
            #expect(await iterator.next().map { Array($0.utf8) } == Array(form.utf8))
        }
    }
}
