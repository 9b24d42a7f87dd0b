// SPDX-License-Identifier: Apache-2.0

import ConfigModel

extension RuleMachine {
    /// `<` and the like: two texts, or a text and anything but a number, by their scalars; the rest as numbers.
    mutating func isOrdered(
        _ left: EntryValue,
        _ right: EntryValue,
        _ comparison: RuleComparison
    ) throws(TooManySteps) -> Bool {
        if !left.isNumeric && !right.isNumeric, left.isText || right.isText {
            let (first, second) = (try text(of: left), try text(of: right))
            try charge(text: first)
            return switch comparison {
            case .less: first.precedes(second)
            case .lessOrEqual: !second.precedes(first)
            case .greater: second.precedes(first)
            case .greaterOrEqual: !first.precedes(second)
            }
        }
        let (first, second) = (try number(of: left), try number(of: right))
        return switch comparison {
        case .less: first < second
        case .lessOrEqual: first <= second
        case .greater: first > second
        case .greaterOrEqual: first >= second
        }
    }

    /// `==`: as numbers if one is a number, or a Boolean. An array or an object is equal to none.
    mutating func isEqual(_ left: EntryValue, _ right: EntryValue) throws(TooManySteps) -> Bool {
        if left.isNumeric || right.isNumeric { return try number(of: left) == number(of: right) }
        switch (left, right) {
        case (.null, .null): return true
        case (.null, _), (_, .null): return false
        case (.string, _), (_, .string):
            let (first, second) = (try text(of: left), try text(of: right))
            try charge(text: first)
            return first.isSame(as: second)
        default: return false
        }
    }

    /// `===`: the same value of the same type.
    mutating func isSame(_ left: EntryValue, _ right: EntryValue) throws(TooManySteps) -> Bool {
        switch (left, right) {
        case (.string(let first), .string(let second)):
            try charge(text: first)
            return first.isSame(as: second)
        case (.array, .array), (.object, .object):
            try charge(left.size)
            return left == right
        default: return left == right
        }
    }

    /// `in`: whether an array has the element, or a text the part.
    mutating func contains(_ haystack: EntryValue, _ needle: EntryValue) throws(TooManySteps) -> Bool {
        switch haystack {
        case .array(let elements):
            try charge(elements.count)
            for element in elements where try isSame(element, needle) { return true }
            return false
        case .string(let text): return try contains(Array(text.utf8), Array(try self.text(of: needle).utf8))
        default: return false
        }
    }

    private mutating func contains(_ text: [UInt8], _ part: [UInt8]) throws(TooManySteps) -> Bool {
        guard let first = part.first else { return true }
        guard text.count >= part.count else { return false }
        try charge(text.count / 16)
        for start in 0...text.count - part.count where text[start] == first {
            let common = zip(text[start...], part).prefix { $0 == $1 }.count
            if common == part.count { return true }
            try charge(common / 16)
        }
        return false
    }

    mutating func text(of value: EntryValue) throws(TooManySteps) -> String {
        if case .string(let text) = value { return text }
        try charge(value.size)
        return value.text
    }

    mutating func number(of value: EntryValue) throws(TooManySteps) -> Double {
        if case .string(let text) = value { try charge(text: text) }
        return value.number
    }
}

extension EntryValue {
    fileprivate var isText: Bool { if case .string = self { true } else { false } }
}

extension String {
    /// By the scalars, as their UTF-8 is ordered.
    fileprivate func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }

    /// Whether the scalars are the same; to Swift, é in one scalar and in two are equal.
    fileprivate func isSame(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}
