// SPDX-License-Identifier: Apache-2.0

import ConfigModel

extension RuleMachine {
    /// The result of `map` and similar operators, within which `var` refers to the element.
    mutating func iterated(
        _ iteration: RuleIteration,
        _ parts: RuleNode.Arguments,
        in scope: Scope
    ) throws(ExceededLimit) -> EntryValue {
        let elements: [EntryValue]? =
            if case .array(let found) = try value(0, of: parts, in: scope) { found } else { nil }
        let (list, body) = (elements ?? [], argument(1, of: parts))
        switch iteration {
        case .reduce:
            let start = parts.count > 2 ? try value(2, of: parts, in: scope) : .null
            return elements == nil ? start : try reduced(list, body, from: start)
        case .map:
            try charge(copying: list.count)
            var mapped: [EntryValue] = []
            mapped.reserveCapacity(list.count)
            for element in list { mapped.append(try result(of: body, for: element)) }
            return .array(mapped)
        case .filter:
            try charge(copying: list.count)
            var kept: [EntryValue] = []
            for element in list where try result(of: body, for: element).isTrue { kept.append(element) }
            return .array(kept)
        case .all: return list.isEmpty ? false : .boolean(try !has(false, list, body))
        case .some: return .boolean(try has(true, list, body))
        case .none: return .boolean(try !has(true, list, body))
        }
    }

    private mutating func result(of body: Int, for element: EntryValue) throws(ExceededLimit) -> EntryValue {
        try charge(1)
        return try value(of: body, in: .element(element))
    }

    /// Whether the body is true, or false, of one of the elements.
    private mutating func has(_ truth: Bool, _ elements: [EntryValue], _ body: Int) throws(ExceededLimit) -> Bool {
        for element in elements where try result(of: body, for: element).isTrue == truth { return true }
        return false
    }

    private mutating func reduced(
        _ elements: [EntryValue],
        _ body: Int,
        from start: EntryValue
    ) throws(ExceededLimit) -> EntryValue {
        var accumulator = start
        for element in elements {
            let pair = EntryObject([("accumulator", accumulator), ("current", element)])
            accumulator = try result(of: body, for: .object(pair))
            try charge(accumulator: accumulator)
        }
        return accumulator
    }
}
