// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import Testing

@testable import ConfigChanges

struct ConfigDiffTests {
    /// Three changes, of which the middle one is given.
    private func diff(_ value: EntryValue) -> ConfigDiff {
        let values: [(key: String, value: EntryValue)] = [("a", 1), ("b", value), ("c", 1)]
        return ConfigDiff(values.map { KeyChange(key: $0.key, old: nil, new: $0.value) })
    }

    @Test func diffHasAddedRemovedAndChangedKeys() {
        let diff = ConfigDiff(from: ["a": 1, "b": "x", "c": true], to: ["b": "y", "c": true, "d": []])
        #expect(
            diff.changes == [
                KeyChange(key: "a", old: .integer(1), new: nil),
                KeyChange(key: "b", old: .string("x"), new: .string("y")),
                KeyChange(key: "d", old: nil, new: []),
            ]
        )
        #expect(diff.summary == "1 new, 1 changed, 1 removed")
        #expect(ConfigDiff(from: ["a": .integer(1)], to: ["a": .integer(1)]).isEmpty)
    }

    @Test func valuesOfTheSameTextAndAnotherKindDiffer() {
        #expect(!ConfigDiff(from: ["a": .string("1")], to: ["a": .integer(1)]).isEmpty)
    }

    @Test func diffsWithOneBeginningAndEndAreDistinct() {
        let numbers = [diff(1): "one", diff(2): "two"]
        #expect(numbers[diff(1)] == "one" && numbers[diff(2)] == "two" && numbers[diff(3)] == nil)
    }

    @Test func namesAreRestoredWithTheirRulesAndSchemas() {
        let rule: EntryValue = ["variants": ["x": 1], "defaultVariant": "x"]
        let former = NamespaceContents(
            values: ["a": 1, "b": 1, "same": 1],
            schemas: ["a": true, "a.*": true],
            rules: ["a": rule, "b": rule, EntryKind.sharedRules: [:]]
        )
        let present = NamespaceContents(values: ["a": "x", "b": 2, "new": 1, "same": 1], schemas: ["new": true])
        func words(_ names: String...) -> [String] {
            ConfigDiff(restoring: names, from: present, to: former).changes.map { $0.sign + $0.kind.label + $0.key }
        }
        #expect(words("a") == ["~a", "+schema a", "+rule a"])
        #expect(words("new", "same") == ["-new", "-schema new"])
        #expect(words("a.*", EntryKind.sharedRules) == ["+schema a.*", "+rule $evaluators"])
        #expect(words("a", "b", "new", "same", "a.*", EntryKind.sharedRules).count == 9)
    }

    @Test("A rule that stays without its value is part of the request, since a server removes it with the value")
    func rulesThatStayAreKept() {
        let rules: [String: EntryValue] = ["a": ["state": "ENABLED"], "b": ["state": "DISABLED"]]
        let present = NamespaceContents(values: ["a": 1, "b": 1, "c": 1], rules: rules)
        let diff = ConfigDiff(from: present, to: NamespaceContents(values: ["b": 2], rules: rules))
        #expect(diff.changes.map(\.heldKey) == ["a", "b", "c"])
        let request = diff.request()
        #expect(request.unset == ["a", "c"] && request.rules == ["a": rules["a"]])
    }

    @Test func anUndoOfAValueLeavesTheRuleOfItsKey() {
        let rule: EntryValue = ["state": "ENABLED"]
        let undo = ConfigDiff([KeyChange(key: "a", old: nil, new: 7)]).inverse.keepingRules { $0 == "a" ? rule : nil }
        #expect(undo.request().unset == ["a"] && undo.request().rules == ["a": rule])
    }

    @Test func rulesWithoutTheirSharedEvaluatorsAreFaults() {
        let rule: EntryValue = ["variants": ["x": 1], "targeting": ["if": [["$ref": "e"], "x"]]]
        let present = NamespaceContents(rules: ["a": rule, EntryKind.sharedRules: ["e": true]])
        let removal = ConfigDiff([KeyChange(key: EntryKind.sharedRules, kind: .rule, old: ["e": true], new: nil)])
        #expect(present.ruleFaults(in: removal).map(\.rule) == ["a"])
    }
}
