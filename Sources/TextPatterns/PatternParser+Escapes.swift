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
            throw error("the pattern ends in a backslash; write \\\\ for the character", at: start)
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
                throw error("octal escapes are none; use \\xHH", at: start)
            }
            return .scalar("\0")
        case "1"..."9", "k":
            throw error(
                "'\\\(letter)' is a back reference, which is not matched in linear time; spell the text out",
                at: start
            )
        case "b" where isInClass: return .scalar("\u{8}")
        case "-" where isInClass: return .scalar("-")
        case _ where Self.syntaxCharacters.contains(letter): return .scalar(letter)
        default:
            let shown = String(letter).excerpt(ofScalars: 1)
            throw error("'\\\(shown)' is no escape of ECMA-262; write '\(shown)' without the backslash", at: start)
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
            throw error("\\c has a letter after it, such as \\cJ", at: start)
        }
        offset += 1
        return Unicode.Scalar(UInt8(letter.value & 31))
    }

    private mutating func property(isNegated: Bool, from start: Int) throws(PatternError) -> ScalarSet {
        guard skip("{"), let end = scalars[offset...].firstIndex(of: "}") else {
            throw error("a property is written as \\p{L}", at: start)
        }
        var name = String(String.UnicodeScalarView(scalars[offset..<end]))
        offset = end + 1
        for prefix in ["gc=", "General_Category="] where name.hasPrefix(prefix) { name.removeFirst(prefix.count) }
        guard let set = ScalarSet(propertyNamed: name) else {
            let message =
                "\\p{\(name.excerpt(ofScalars: 30))} is not known; there are general categories such as \\p{L} and \\p{Nd}"
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
                throw error("\\u{…} has the hexadecimal number of a Unicode scalar in its braces", at: start)
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
        error("half a surrogate pair matches no text; write both halves, or \\u{…}", at: start)
    }

    private mutating func hexadecimal(digits: Int, from start: Int) throws(PatternError) -> Unicode.Scalar {
        // Two digits are always a scalar.
        Unicode.Scalar(try hexadecimalNumber(digits: digits, from: start)) ?? "\0"
    }

    private mutating func hexadecimalNumber(digits: Int, from start: Int) throws(PatternError) -> UInt32 {
        let text = scalars[offset...].prefix(digits)
        guard text.count == digits, text.allSatisfy(\.properties.isASCIIHexDigit),
            let value = UInt32(String(String.UnicodeScalarView(text)), radix: 16)
        else { throw error("\(digits) hexadecimal digits are missing in the escape", at: start) }
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
                throw error("there is no ']' for this '['; write \\[ for the character", at: start)
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
            throw error("a range has one character at each end; write \\- for the character", at: start)
        }
        guard low <= high else { throw error("the ends of the range are out of order", at: start) }
        set.insert(low.value...high.value)
    }

    private mutating func classAtom() throws(PatternError) -> Escape {
        guard let scalar = current else { throw error("the class has no ']'") }
        if scalar == "\\" { return try escape(isInClass: true) }
        offset += 1
        return .scalar(scalar)
    }
}
