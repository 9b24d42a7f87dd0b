// SPDX-License-Identifier: Apache-2.0

import ConfigModel

extension RuleMachine {
    /// The result of an operator for arguments, of which a compiled rule has as many as the operator takes.
    mutating func result(
        of name: RuleOperator,
        _ values: [EntryValue],
        in scope: Scope
    ) throws(ExceededLimit) -> EntryValue {
        let first = values.first ?? .null
        let second = values.dropFirst().first ?? .null
        switch name {
        case .variable: return try variable(first, in: scope) ?? second
        case .missing: return .array(try missing(Self.keys(values), in: scope))
        case .missingSome:
            guard case .array(let keys) = second else { return .array([]) }
            let missing = try missing(keys, in: scope)
            return .array(Double(keys.count - missing.count) >= (try number(of: first)) ? [] : missing)
        case .not: return .boolean(!first.isTrue)
        case .truth: return .boolean(first.isTrue)
        case .plus, .times, .minimum, .maximum, .minus, .divided, .modulo: return try arithmetic(name, values)
        case .merge: return .array(try merged(values))
        case .joined: return .string(try joined(values))
        case .part: return .string(try part(of: text(of: first), second, values.dropFirst(2).first ?? .null))
        // Nothing is logged, since rules may contain private data.
        case .log: return first
        case .version:
            for value in values { try charge(version: value) }
            let relation = String(configValue: second).flatMap(VersionRelation.init(name:))
            guard let relation, let left = SemanticVersion(rule: first),
                let right = values.dropFirst(2).first.flatMap(SemanticVersion.init(rule:))
            else { return .null }
            return .boolean(relation.holds(left, right))
        case .equal, .unequal, .identical, .different, .contained, .startsWith, .endsWith:
            return try result(of: name, first, second)
        }
    }

    /// The result of an operator with two arguments (``RuleOperator/isOfTwo``).
    mutating func result(
        of name: RuleOperator,
        _ first: EntryValue,
        _ second: EntryValue
    ) throws(ExceededLimit) -> EntryValue {
        switch name {
        case .equal, .unequal: return .boolean(try isEqual(first, second) == (name == .equal))
        case .identical, .different: return .boolean(try isIdentical(first, second) == (name == .identical))
        case .contained: return .boolean(try contains(second, first))
        default:
            guard case .string(let text) = first, case .string(let part) = second else { return .null }
            try charge(text: part)
            return .boolean(name == .startsWith ? text.begins(with: part) : text.ends(with: part))
        }
    }

    private mutating func arithmetic(_ name: RuleOperator, _ values: [EntryValue]) throws(ExceededLimit) -> EntryValue {
        var numbers: [Double] = []
        for value in values { numbers.append(try number(of: value)) }
        let (first, second) = (numbers.first ?? 0, numbers.dropFirst().first ?? 0)
        switch name {
        case .plus: return EntryValue(result: numbers.reduce(0, +))
        case .times: return EntryValue(result: numbers.reduce(1, *))
        case .minus: return EntryValue(result: numbers.count == 1 ? -first : first - second)
        case .divided: return second == 0 ? .null : EntryValue(result: first / second)
        case .modulo: return second == 0 ? .null : EntryValue(result: first.truncatingRemainder(dividingBy: second))
        // The first one stays where nothing is known to be smaller, or larger.
        case .minimum: return EntryValue(result: numbers.first.map { numbers.reduce($0) { $1 < $0 ? $1 : $0 } } ?? .nan)
        default: return EntryValue(result: numbers.first.map { numbers.reduce($0) { $1 > $0 ? $1 : $0 } } ?? .nan)
        }
    }

    private mutating func merged(_ values: [EntryValue]) throws(ExceededLimit) -> [EntryValue] {
        var merged: [EntryValue] = []
        for value in values {
            let elements = if case .array(let elements) = value { elements } else { [value] }
            try charge(copying: elements.count)
            merged += elements
        }
        return merged
    }

    private mutating func joined(_ values: [EntryValue]) throws(ExceededLimit) -> String {
        var joined = ""
        for value in values {
            let text = try text(of: value)
            try charge(writing: text.utf8.count)
            joined += text
        }
        return joined
    }

    /// A part of a text from a position on, which counts from the end if it is negative, in Unicode scalars.
    private mutating func part(
        of text: String,
        _ position: EntryValue,
        _ length: EntryValue
    ) throws(ExceededLimit) -> String {
        try charge(writing: text.utf8.count)
        let scalars = text.unicodeScalars
        let count = scalars.count
        let from = Self.whole(try number(of: position)) ?? 0
        let start = from < 0 ? (-from < count ? count + from : 0) : min(from, count)
        var end = count
        if length != .null {
            guard let wanted = Self.whole(try number(of: length)) else { return "" }
            end = wanted < 0 ? max(count + wanted, start) : min(start + wanted, count)
        }
        return String(scalars.dropFirst(start).prefix(end - start))
    }

    /// A number without its fraction, within any string's length; `nil` for anything but a number.
    private static func whole(_ number: Double) -> Int? {
        number.isNaN ? nil : Int(min(max(number, -1e9), 1e9))
    }
}

extension String {
    /// Whether the bytes of another text are the first of this one.
    fileprivate func begins(with part: String) -> Bool {
        utf8.count >= part.utf8.count && utf8Span.span.extracting(first: part.utf8.count).equals(part.utf8Span.span)
    }

    /// Whether they are the last.
    fileprivate func ends(with part: String) -> Bool {
        utf8.count >= part.utf8.count && utf8Span.span.extracting(last: part.utf8.count).equals(part.utf8Span.span)
    }
}
