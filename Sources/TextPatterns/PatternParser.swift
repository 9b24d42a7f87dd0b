// SPDX-License-Identifier: Apache-2.0

internal import Basics

/// Reads a regular expression by the grammar of ECMA-262 with the flag `u`.
struct PatternParser {
    let scalars: [Unicode.Scalar]
    var offset = 0
    /// The sets that the nodes name.
    private(set) var sets: [ScalarSet] = []
    private var depth = 0
    private var groupNames: Set<ExactString> = []

    /// Groups are read by recursion.
    private static let maximumDepth = 100

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    mutating func pattern() throws(PatternError) -> PatternNode {
        let node = try alternatives()
        // Only a bracket ends the alternatives before the end.
        if current != nil { throw error("missing '('; to match the character ')', use \\)") }
        return node
    }

    var current: Unicode.Scalar? { offset < scalars.count ? scalars[offset] : nil }

    /// Skips a text, if it is next.
    mutating func skip(_ expected: String) -> Bool {
        guard scalars[offset...].starts(with: expected.unicodeScalars) else { return false }
        offset += expected.unicodeScalars.count
        return true
    }

    func error(_ message: String, at offset: Int? = nil) -> PatternError {
        PatternError(message: message, offset: offset ?? self.offset)
    }

    /// The node of a set that has been read.
    mutating func node(of set: ScalarSet, isNegated: Bool = false) -> PatternNode {
        sets.append(set.finished(isNegated: isNegated))
        return .set(sets.count - 1)
    }

    private mutating func alternatives() throws(PatternError) -> PatternNode {
        var nodes = [try sequence()]
        while skip("|") { nodes.append(try sequence()) }
        return nodes.count == 1 ? nodes[0] : .alternatives(nodes)
    }

    private mutating func sequence() throws(PatternError) -> PatternNode {
        var nodes: [PatternNode] = []
        while let scalar = current, scalar != "|", scalar != ")" { nodes.append(try term(scalar)) }
        return PatternNode(sequence: nodes)
    }

    private mutating func term(_ scalar: Unicode.Scalar) throws(PatternError) -> PatternNode {
        let start = offset
        if let assertion = assertion() {
            if let quantifier = current, "*+?{".unicodeScalars.contains(quantifier) {
                throw error("an assertion cannot be repeated; remove the '\(quantifier)'")
            }
            return .assertion(assertion)
        }
        let node = try atom(scalar)
        guard let (atLeast, atMost) = try quantifier() else { return node }
        if let atMost, atMost < atLeast { throw error("the limits of the quantifier are out of order", at: start) }
        if case .empty = node { return .empty }
        return atMost == 0 ? .empty : .repetition(node, atLeast: atLeast, atMost: atMost)
    }

    private mutating func assertion() -> PatternNode.Assertion? {
        if skip("^") { return .startOfText }
        if skip("$") { return .endOfText }
        if skip("\\b") { return .wordBoundary(true) }
        return skip("\\B") ? .wordBoundary(false) : nil
    }

    private mutating func atom(_ scalar: Unicode.Scalar) throws(PatternError) -> PatternNode {
        switch scalar {
        case "(": return try group()
        case "[": return try characterClass()
        case "\\":
            switch try escape(isInClass: false) {
            case .scalar(let scalar): return .scalar(scalar)
            case .set(let set): return node(of: set)
            }
        case "*", "+", "?":
            throw error("nothing to repeat before '\(scalar)'; to match the character, use \\\(scalar)")
        case "{", "}", "]": throw error("unmatched '\(scalar)'; to match the character, use \\\(scalar)")
        case ".":
            offset += 1
            return node(of: .lineTerminators, isNegated: true)
        default:
            offset += 1
            return .scalar(scalar)
        }
    }

    private mutating func group() throws(PatternError) -> PatternNode {
        let start = offset
        guard depth < Self.maximumDepth else {
            throw error("groups are nested deeper than \(Self.maximumDepth) levels")
        }
        offset += 1
        if skip("?") { try readKindOfGroup(from: start) }
        depth += 1
        let node = try alternatives()
        depth -= 1
        guard skip(")") else { throw error("missing ')'; to match the character '(', use \\(", at: start) }
        return node
    }

    /// Reads what follows `(?`.
    private mutating func readKindOfGroup(from start: Int) throws(PatternError) {
        if skip(":") { return }
        let refused = [
            ("=", "looks ahead"), ("!", "looks ahead"), ("<=", "looks behind"), ("<!", "looks behind"),
        ]
        for (mark, whatItDoes) in refused where skip(mark) {
            let message =
                "'(?\(mark)' \(whatItDoes), which cannot be matched in linear time; use allOf, anyOf or not instead"
            throw error(message, at: start)
        }
        guard skip("<") else {
            throw error("unsupported group; use (…), (?:…) or (?<name>…)", at: start)
        }
        let name = String(String.UnicodeScalarView(scalars[offset...].prefix { $0 != ">" }))
        guard Self.isIdentifier(name) else { throw error("invalid group name before '>'", at: start) }
        offset += name.unicodeScalars.count
        guard skip(">") else { throw error("unterminated group name; use (?<name>…)", at: start) }
        if !groupNames.insert(ExactString(name)).inserted { throw error("duplicate group name", at: start) }
    }

    private static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, first.properties.isIDStart || "$_".unicodeScalars.contains(first)
        else { return false }
        return name.unicodeScalars.allSatisfy { $0.properties.isIDContinue || $0 == "$" }
    }
}

extension PatternParser {
    /// Parses `*`, `+`, `?`, `{n}`, `{n,}` or `{n,m}` and a following `?`, which changes which match is found first, but not
    /// whether there is one.
    private mutating func quantifier() throws(PatternError) -> (atLeast: Int, atMost: Int?)? {
        let range: (Int, Int?)
        if skip("*") {
            range = (0, nil)
        } else if skip("+") {
            range = (1, nil)
        } else if skip("?") {
            range = (0, 1)
        } else if skip("{") {
            range = try counts()
        } else {
            return nil
        }
        _ = skip("?")
        return range
    }

    private mutating func counts() throws(PatternError) -> (Int, Int?) {
        let start = offset - 1
        guard let atLeast = number() else {
            throw error("invalid quantifier; use {n}, {n,} or {n,m}; to match the character, use \\{", at: start)
        }
        var atMost: Int? = atLeast
        if skip(",") { atMost = number() }
        guard skip("}") else {
            throw error("invalid quantifier; use {n}, {n,} or {n,m}; to match the character, use \\{", at: start)
        }
        return (atLeast, atMost)
    }

    /// Reads digits; a number that is larger than any repeat may be stays at one.
    private mutating func number() -> Int? {
        let start = offset
        var number = 0
        while let scalar = current, ("0"..."9").contains(scalar) {
            number = min(number * 10 + Int(scalar.value - 48), 1_000_000)
            offset += 1
        }
        return offset == start ? nil : number
    }
}
