// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TestSupport
import Testing

struct KeyedValuesTests {
    @Test func valuesEqualThoseOfADictionary() {
        var random = SeededGenerator(seed: 21)
        for _ in 0..<200 {
            var (values, model): (KeyedValues<Int>, [String: Int]) = ([:], [:])
            for number in 0..<Int.random(in: 0..<60, using: &random) {
                let key = String(Int.random(in: 0..<40, using: &random))
                values.update(number, forKey: key)
                model[key] = number
            }
            #expect(values.mapValues(\.self) == model)
            #expect(values.count == model.count && values.isEmpty == model.isEmpty)
            #expect(values == KeyedValues(model) && values.hashValue == KeyedValues(model).hashValue)
            #expect(values.mapValues { $0 + 1 } == model.mapValues { $0 + 1 })
            guard let key = model.keys.randomElement(using: &random) else { continue }
            var other = values
            other.update(-1, forKey: key)
            #expect(other != values && values[key] == model[key])
            other.update(model[key] ?? 0, forKey: key)
            #expect(other == values)
        }
    }

    @Test func theLastOfDuplicateKeysWins() {
        let values: KeyedValues = ["a": 1, "b": 2, "a": 3]
        #expect(values.mapValues(\.self) == ["a": 3, "b": 2])
        #expect(KeyedValues<Int>()["a"] == nil)
    }

    @Test func keysThatOnlyLookTheSameAreApart() {
        var values = KeyedValues<Int>()
        for (number, name) in EquivalentNames.all.enumerated() { values.update(number, forKey: name) }
        #expect(values.count == EquivalentNames.all.count)
        for (number, name) in EquivalentNames.all.enumerated() { #expect(values[name] == number) }
        #expect(["K": 1] as KeyedValues != ["\u{212A}": 1])
    }

    @Test func otherValuesHaveTheSameKeys() {
        let names = (["a": 1, "b": 2] as KeyedValues).replacing(with: ["one", "two"])
        #expect(names["a"] == "one" && names["b"] == "two" && names["c"] == nil)
    }
}
