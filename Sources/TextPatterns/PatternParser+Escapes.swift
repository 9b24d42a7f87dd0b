// SPDX-License-Identifier: Apache-2.0

import Basics

extension PatternParser {
    /// The meaning of an escape: a backslash and the characters after it.
    enum Escape {
        case scalar(Unicode.Scalar)
        case set(ScalarSet)
    }

    mutating func escape(isInClass: Bool) throws(PatternError) -> Escape {
        let start = offset
        offset += 1
        guard let letter = current else {
            throw error("trailing backslash; to match the character, use \\\\", at: start)
        }
        offset += 1
        if let set = Self.namedSets[letter] { return .set(set) }
        if let scalar = Self.controls[letter] { return .scalar(scalar) }
        switch letter {
        case "p", "P": return .set(try property(isNegated: letter == "P", from: start))
        case "c": return .scalar(try controlLetter(from: start))
        case "x": return .scalar(try hexadecimal(digits: 2, from: start))
        case "u": return .scalar(try unicodeEscape(from: start))
        case "0":
            if let digit = current, ("0"..."9").contains(digit) {
                throw error("octal escapes are not supported; use \\xHH", at: start)
            }
            return .scalar("\0")
        case "1"..."9", "k":
            throw error(
                "'\\\(letter)' is a back reference, which cannot be matched in linear time; repeat the text instead",
                at: start
            )
        case "b" where isInClass: return .scalar("\u{8}")
        case "-" where isInClass: return .scalar("-")
        case _ where Self.syntaxCharacters.contains(letter): return .scalar(letter)
        default:
            let shown = String(letter).excerpt(ofScalars: 1)
            throw error("'\\\(shown)' is not an ECMA-262 escape; remove the backslash", at: start)
        }
    }

    private static let syntaxCharacters = Set("^$\\.*+?()[]{}|/".unicodeScalars)

    private static let controls: [Unicode.Scalar: Unicode.Scalar] = [
        "t": "\t", "n": "\n", "v": "\u{B}", "f": "\u{C}", "r": "\r",
    ]

    private static let namedSets: [Unicode.Scalar: ScalarSet] = [
        "d": .digits, "D": ScalarSet.digits.complement, "w": .wordCharacters, "W": ScalarSet.wordCharacters.complement,
        "s": .spaces, "S": ScalarSet.spaces.complement,
    ]

    private mutating func controlLetter(from start: Int) throws(PatternError) -> Unicode.Scalar {
        guard let letter = current, letter.isASCII, letter.properties.isAlphabetic else {
            throw error("\\c must be followed by a letter, such as \\cJ", at: start)
        }
        offset += 1
        return Unicode.Scalar(UInt8(letter.value & 31))
    }

    private mutating func property(isNegated: Bool, from start: Int) throws(PatternError) -> ScalarSet {
        guard skip("{"), let end = scalars[offset...].firstIndex(of: "}") else {
            throw error("incomplete property; expected a form such as \\p{L}", at: start)
        }
        var name = String(String.UnicodeScalarView(scalars[offset..<end]))
        offset = end + 1
        for prefix in ["gc=", "General_Category="] where name.hasPrefix(prefix) { name.removeFirst(prefix.count) }
        guard let set = ScalarSet(propertyNamed: name) else {
            let message =
                "\\p{\(name.excerpt(ofScalars: 30))} is unknown; use a general category such as \\p{L} or \\p{Nd}"
            throw error(message, at: start)
        }
        return isNegated ? set.complement : set
    }

    /// Reads `XXXX`, a surrogate pair as `XXXX\uXXXX`, or `{X…}`, after `\u`.
    private mutating func unicodeEscape(from start: Int) throws(PatternError) -> Unicode.Scalar {
        if skip("{") {
            let digits = String(String.UnicodeScalarView(scalars[offset...].prefix { $0.properties.isASCIIHexDigit }))
            offset += digits.unicodeScalars.count
            // Zeros may precede the digits, any number of them.
            let significant = String(digits.drop { $0 == "0" })
            let value = digits.isEmpty ? nil : significant.isEmpty ? 0 : UInt32(significant, radix: 16)
            guard skip("}"), let value, let scalar = Unicode.Scalar(value) else {
                throw error("invalid \\u{…}; expected the hexadecimal number of a Unicode scalar", at: start)
            }
            return scalar
        }
        let first = try hexadecimalNumber(digits: 4, from: start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, skip("\\u") else { throw halfPair(at: start) }
        let second = try hexadecimalNumber(digits: 4, from: start)
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw halfPair(at: start) }
        return scalar
    }

    private func halfPair(at start: Int) -> PatternError {
        error("unpaired surrogate; use both halves, or \\u{…}", at: start)
    }

    private mutating func hexadecimal(digits: Int, from start: Int) throws(PatternError) -> Unicode.Scalar {
        // Two digits are always a scalar.
        Unicode.Scalar(try hexadecimalNumber(digits: digits, from: start)) ?? "\0"
    }

    private mutating func hexadecimalNumber(digits: Int, from start: Int) throws(PatternError) -> UInt32 {
        let text = scalars[offset...].prefix(digits)
        guard text.count == digits, text.allSatisfy(\.properties.isASCIIHexDigit),
            let value = UInt32(String(String.UnicodeScalarView(text)), radix: 16)
        else { throw error("incomplete escape; expected \(digits) hexadecimal digits", at: start) }
        offset += digits
        return value
    }
}

// Character classes.
extension PatternParser {
    mutating func characterClass() throws(PatternError) -> PatternNode {
        let start = offset
        offset += 1
        let isNegated = skip("^")
        var set = ScalarSet()
        while !skip("]") {
            guard current != nil else {
                throw error("missing ']'; to match the character '[', use \\[", at: start)
            }
            try readMember(of: &set)
        }
        return node(of: set, isNegated: isNegated)
    }

    private mutating func readMember(of set: inout ScalarSet) throws(PatternError) {
        let start = offset
        let first = try classAtom()
        let isRange = current == "-" && offset + 1 < scalars.count && scalars[offset + 1] != "]"
        guard isRange else {
            switch first {
            case .scalar(let scalar): set.insert(scalar.value...scalar.value)
            case .set(let other): set.formUnion(other)
            }
            return
        }
        offset += 1
        guard case .scalar(let low) = first, case .scalar(let high) = try classAtom() else {
            throw error("a range must have one character at each end; to match the character '-', use \\-", at: start)
        }
        guard low <= high else { throw error("the range is out of order", at: start) }
        set.insert(low.value...high.value)
    }

    private mutating func classAtom() throws(PatternError) -> Escape {
        guard let scalar = current else { throw error("missing ']'") }
        if scalar == "\\" { return try escape(isInClass: true) }
        offset += 1
        return .scalar(scalar)
    }
}
