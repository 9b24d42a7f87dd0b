// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// The grammar of regular expressions in ECMA-262, with the flag `u`, and its early errors. Nothing is compiled: an expression may
/// have more than the keyword `pattern` supports.
struct RegexSyntax {
    /// A group that is open, and the names of the groups in it.
    private struct Group {
        /// Whether it may have a quantifier behind it.
        var isAtom = true
        /// The names in the alternatives before this one: two alternatives may have the same name.
        var formerNames: Set<String> = []
        var names: Set<String> = []
    }

    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var groups = [Group()]
    private var captureCount = 0
    private var highestReference = 0
    private var referencedNames: Set<String> = []

    private struct Invalid: Error {}

    private init(_ text: String) { scalars = Array(text.unicodeScalars) }

    static func isPattern(_ text: String) -> Bool {
        var syntax = RegexSyntax(text)
        return (try? syntax.read()) != nil
    }

    private mutating func read() throws(Invalid) {
        while let scalar = next() {
            let isAtom = try readTerm(scalar)
            if isAtom { try skipQuantifier() }
        }
        guard groups.count == 1, highestReference <= captureCount else { throw Invalid() }
        guard referencedNames.isSubset(of: groups[0].names.union(groups[0].formerNames)) else { throw Invalid() }
    }

    /// - Returns: whether a quantifier may follow.
    private mutating func readTerm(_ scalar: Unicode.Scalar) throws(Invalid) -> Bool {
        switch scalar {
        case "^", "$": return false
        case "|":
            let names = groups[groups.count - 1].names
            groups[groups.count - 1].formerNames.formUnion(names)
            groups[groups.count - 1].names = []
            return false
        case "(":
            try openGroup()
            return false
        case ")": return try closeGroup()
        case "[":
            try skipClass()
            return true
        case "\\":
            if skip("b") || skip("B") { return false }
            if try skipReference() { return true }
            _ = try readEscape()
            return true
        case "*", "+", "?", "{", "}", "]": throw Invalid()
        default: return true
        }
    }

    private mutating func skipQuantifier() throws(Invalid) {
        if skip("{") {
            guard let minimum = readDigits() else { throw Invalid() }
            if skip(","), let maximum = readDigits(), Self.isLess(maximum, than: minimum) { throw Invalid() }
            guard skip("}") else { throw Invalid() }
        } else if !(skip("*") || skip("+") || skip("?")) {
            return
        }
        _ = skip("?")
    }
}

// MARK: Groups

extension RegexSyntax {
    private mutating func openGroup() throws(Invalid) {
        var group = Group()
        if !skip("?") {
            captureCount += 1
        } else if skip("=") || skip("!") {
            group.isAtom = false
        } else if skip("<") {
            if skip("=") || skip("!") {
                group.isAtom = false
            } else {
                captureCount += 1
                try add(name: try readGroupName())
            }
        } else {
            try skipModifiers()
        }
        groups.append(group)
    }

    private mutating func closeGroup() throws(Invalid) -> Bool {
        guard groups.count > 1 else { throw Invalid() }
        var group = groups.removeLast()
        // The smaller set is added to the larger one: the names of nested groups would take the square of their number.
        if group.names.count > group.formerNames.count { swap(&group.names, &group.formerNames) }
        group.formerNames.formUnion(group.names)
        let outer = groups.count - 1
        if group.formerNames.count > groups[outer].names.count { swap(&group.formerNames, &groups[outer].names) }
        for name in group.formerNames { try add(name: name) }
        return group.isAtom
    }

    private mutating func add(name: String) throws(Invalid) {
        guard groups[groups.count - 1].names.insert(name).inserted else { throw Invalid() }
    }

    /// The flags between `(?` and `:`, some switched on and some off, or none.
    private mutating func skipModifiers() throws(Invalid) {
        var (flags, isOff, hasOff) = (Set<Unicode.Scalar>(), false, false)
        while case let scalar = try require(), scalar != ":" {
            switch scalar {
            case "-" where !isOff: (isOff, hasOff) = (true, true)
            case "i", "m", "s": guard flags.insert(scalar).inserted else { throw Invalid() }
            default: throw Invalid()
            }
        }
        if hasOff, flags.isEmpty { throw Invalid() }
    }

    /// The name behind `(?<` or `\k<`, an identifier in which there may be escapes, and `>`.
    private mutating func readGroupName() throws(Invalid) -> String {
        var name = ""
        while case let scalar = try require(), scalar != ">" {
            var character = scalar
            if scalar == "\\" {
                guard skip("u"), let escaped = Unicode.Scalar(try readCodePoint()) else { throw Invalid() }
                character = escaped
            }
            let properties = character.properties
            let isPart = name.isEmpty ? properties.isIDStart : properties.isIDContinue
            let isJoiner = !name.isEmpty && (character == "\u{200C}" || character == "\u{200D}")
            guard isPart || character == "$" || character == "_" || isJoiner else { throw Invalid() }
            name.unicodeScalars.append(character)
        }
        if name.isEmpty { throw Invalid() }
        return name
    }

    /// The reference to a group behind a backslash, if it is one.
    private mutating func skipReference() throws(Invalid) -> Bool {
        if skip("k") {
            guard skip("<") else { throw Invalid() }
            referencedNames.insert(try readGroupName())
            return true
        }
        guard position < scalars.count, ("1"..."9").contains(scalars[position]), let digits = readDigits() else {
            return false
        }
        highestReference = max(highestReference, Int(String(String.UnicodeScalarView(digits))) ?? .max)
        return true
    }
}

// MARK: Classes and escapes

extension RegexSyntax {
    private mutating func skipClass() throws(Invalid) {
        _ = skip("^")
        while case let scalar = try require(), scalar != "]" {
            let first = try readClassAtom(scalar)
            guard position + 1 < scalars.count, scalars[position] == "-", scalars[position + 1] != "]" else { continue }
            position += 1
            let last = try readClassAtom(try require())
            guard let first, let last, first <= last else { throw Invalid() }
        }
    }

    /// - Returns: the code point; `nil` for a class such as `\d`.
    private mutating func readClassAtom(_ scalar: Unicode.Scalar) throws(Invalid) -> UInt32? {
        guard scalar == "\\" else { return scalar.value }
        if skip("b") { return 8 }
        if skip("-") { return Unicode.Scalar("-").value }
        return try readEscape()
    }

    /// The escape behind a backslash, within a class or not.
    ///
    /// - Returns: the code point; `nil` for a class such as `\d`.
    private mutating func readEscape() throws(Invalid) -> UInt32? {
        let scalar = try require()
        switch scalar {
        case "d", "D", "s", "S", "w", "W": return nil
        case "p", "P":
            try skipProperty()
            return nil
        case "f": return 12
        case "n": return 10
        case "r": return 13
        case "t": return 9
        case "v": return 11
        case "c":
            let letter = try require()
            guard letter.isASCII, letter.properties.isAlphabetic else { throw Invalid() }
            return letter.value % 32
        case "0":
            if position < scalars.count, ("0"..."9").contains(scalars[position]) { throw Invalid() }
            return 0
        case "x": return try readHex(2)
        case "u": return try readCodePoint()
        case "^", "$", "\\", ".", "*", "+", "?", "(", ")", "[", "]", "{", "}", "|", "/": return scalar.value
        default: throw Invalid()
        }
    }

    /// `{Name}` or `{Name=Value}`.
    private mutating func skipProperty() throws(Invalid) {
        guard skip("{") else { throw Invalid() }
        var text = ""
        while case let scalar = try require(), scalar != "}" { text.unicodeScalars.append(scalar) }
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard UnicodePropertyNames.contains(parts[0], value: parts.dropFirst().first) else { throw Invalid() }
    }

    /// The code point behind `\u`: four digits, those of a pair of surrogates, or a number in braces.
    private mutating func readCodePoint() throws(Invalid) -> UInt32 {
        if skip("{") {
            var value: UInt32 = 0
            let start = position
            while case let scalar = try require(), scalar != "}" {
                guard let digit = Self.hexDigit(scalar), value <= 0x10FFFF else { throw Invalid() }
                value = value * 16 + digit
            }
            guard position - start > 1, value <= 0x10FFFF else { throw Invalid() }
            return value
        }
        let first = try readHex(4)
        guard (0xD800..<0xDC00).contains(first), position + 1 < scalars.count, scalars[position] == "\\",
            scalars[position + 1] == "u"
        else { return first }
        let start = position
        position += 2
        if let second = try? readHex(4), (0xDC00..<0xE000).contains(second) {
            return 0x10000 + (first - 0xD800) * 0x400 + (second - 0xDC00)
        }
        position = start
        return first
    }

    private mutating func readHex(_ count: Int) throws(Invalid) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let digit = Self.hexDigit(try require()) else { throw Invalid() }
            value = value * 16 + digit
        }
        return value
    }

    private static func hexDigit(_ scalar: Unicode.Scalar) -> UInt32? {
        UInt8(exactly: scalar.value).flatMap(hexDigitValue)
    }
}

// MARK: Reading

extension RegexSyntax {
    private mutating func next() -> Unicode.Scalar? {
        guard position < scalars.count else { return nil }
        defer { position += 1 }
        return scalars[position]
    }

    private mutating func require() throws(Invalid) -> Unicode.Scalar {
        guard let scalar = next() else { throw Invalid() }
        return scalar
    }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard position < scalars.count, scalars[position] == scalar else { return false }
        position += 1
        return true
    }

    /// The decimal digits from here on, of any number; `nil` if there are none.
    private mutating func readDigits() -> ArraySlice<Unicode.Scalar>? {
        let digits = scalars[position...].prefix { ("0"..."9").contains($0) }
        position = digits.endIndex
        return digits.isEmpty ? nil : digits
    }

    /// Compares numbers by their digits, of which there may be any number.
    private static func isLess(_ left: ArraySlice<Unicode.Scalar>, than right: ArraySlice<Unicode.Scalar>) -> Bool {
        let (left, right) = (left.drop { $0 == "0" }, right.drop { $0 == "0" })
        return left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
    }
}
