// SPDX-License-Identifier: Apache-2.0

import ConfigModel

// Conversions of values by JsonLogic. Numbers follow flagd's engine in Go.

extension EntryValue {
    /// Whether the value counts as true: not null, false, 0, an empty text or an empty array.
    var isTrue: Bool {
        switch self {
        case .null: false
        case .boolean(let flag): flag
        case .integer(let number): number != 0
        case .double(let number): !number.isNaN && number != 0
        case .string(let text): !text.isEmpty
        case .array(let elements): !elements.isEmpty
        case .object: true
        }
    }

    /// The value as a number; not a number for a text without one, an array or an object.
    var number: Double {
        switch self {
        case .null: 0
        case .boolean(let flag): flag ? 1 : 0
        case .integer(let number): Double(number)
        case .double(let number): number
        case .string(let text): Double(decimal: text) ?? .nan
        case .array, .object: .nan
        }
    }

    /// The value as a text; null has an empty one.
    var text: String {
        if case .string(let text) = self { return text }
        var text = ""
        writeText(to: &text)
        return text
    }

    // The recursion is bounded by the depth of the value.
    private func writeText(to text: inout String) {
        switch self {
        case .null: return
        case .string(let string): text += string
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                if index > 0 { text += "," }
                element.writeText(to: &text)
            }
        case .object: text += "[object Object]"
        case .double(let number) where !number.isFinite:
            text += number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity"
        case .boolean, .integer, .double: text += canonicalJSON
        }
    }

    /// The result of arithmetic.
    init(result number: Double) {
        self = number.isFinite ? EntryValue(number: number) : .double(number)
    }
}

extension Double {
    /// Reads a decimal number with white space around it, and nothing else: neither `0x10` nor `inf`. A blank text is 0.
    init?(decimal text: String) {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0d).contains($0) }
        let bytes = text.utf8.drop(while: isSpace)
        guard let last = bytes.lastIndex(where: { !isSpace($0) }) else {
            self = 0
            return
        }
        let digits = bytes[...last]
        let isDecimal = digits.allSatisfy { byte in
            (0x30...0x39).contains(byte) || [0x2b, 0x2d, 0x2e, 0x45, 0x65].contains(byte)
        }
        guard isDecimal else { return nil }
        self.init(Substring(digits))
    }
}
