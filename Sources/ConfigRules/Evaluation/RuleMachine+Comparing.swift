// SPDX-License-Identifier: Apache-2.0

import ConfigModel

// Comparisons as in flagd's engine in Go: arrays and objects have no number, and null equals null alone.

extension RuleMachine {
    /// `<` and similar: two strings by their scalars, anything else as numbers.
    mutating func isOrdered(
        _ left: EntryValue,
        _ right: EntryValue,
        _ comparison: RuleOrdering
    ) throws(ExceededLimit) -> Bool {
        switch comparison {
        case .less: try isLess(left, right)
        case .greater: try isLess(right, left)
        case .lessOrEqual: try isLess(left, right) ? true : isEqual(left, right)
        case .greaterOrEqual: try isLess(right, left) ? true : isEqual(left, right)
        }
    }

    private mutating func isLess(_ left: EntryValue, _ right: EntryValue) throws(ExceededLimit) -> Bool {
        guard case .string(let first) = left, case .string(let second) = right else {
            return try number(of: left) < number(of: right)
        }
        try charge(text: first)
        return first.utf8.lexicographicallyPrecedes(second.utf8)
    }

    /// `==`: null equals null, two texts are compared by their scalars, anything else as numbers.
    mutating func isEqual(_ left: EntryValue, _ right: EntryValue) throws(ExceededLimit) -> Bool {
        switch (left, right) {
        case (.null, .null): return true
        case (.null, _), (_, .null): return false
        case (.string(let first), .string(let second)): return try isSame(first, second)
        default: return try number(of: left) == number(of: right)
        }
    }

    /// `===`: the same text, number or Boolean, or both null. An array or an object is identical to none.
    mutating func isIdentical(_ left: EntryValue, _ right: EntryValue) throws(ExceededLimit) -> Bool {
        switch (left, right) {
        case (.string(let first), .string(let second)): try isSame(first, second)
        case (.array, _), (.object, _): false
        default: left == right
        }
    }

    private mutating func isSame(_ first: String, _ second: String) throws(ExceededLimit) -> Bool {
        guard first.utf8.count == second.utf8.count else { return false }
        try charge(text: first)
        return first.hasSameScalars(as: second)
    }

    /// `in`: whether an array has an identical element, or a text the part. No text contains null.
    mutating func contains(_ haystack: EntryValue, _ needle: EntryValue) throws(ExceededLimit) -> Bool {
        switch (haystack, needle) {
        case (.array(let elements), _):
            try charge(elements.count)
            for element in elements where try isIdentical(element, needle) { return true }
            return false
        case (.string, .null): return false
        case (.string(let text), _): return try contains(text, self.text(of: needle))
        default: return false
        }
    }

    private mutating func contains(_ text: String, _ part: String) throws(ExceededLimit) -> Bool {
        try charge(text: text)
        let (bytes, sought) = (text.utf8Span.span, part.utf8Span.span)
        var start = 0
        while start + sought.count <= bytes.count {
            var common = 0
            while common < sought.count, bytes[start + common] == sought[common] { common += 1 }
            if common == sought.count { return true }
            try charge(common / 16)
            start += 1
        }
        return false
    }

    /// A value as a text, which costs a look at all of it.
    mutating func text(of value: EntryValue) throws(ExceededLimit) -> String {
        if case .string(let text) = value { return text }
        try charge(all: value)
        let text = value.text
        try charge(writing: text.utf8.count)
        return text
    }

    mutating func number(of value: EntryValue) throws(ExceededLimit) -> Double {
        if case .string(let text) = value { try charge(text: text) }
        return value.number
    }
}
