// SPDX-License-Identifier: Apache-2.0

import ConfigModel

// What JsonLogic takes values for, as JavaScript does where flagd's evaluator does.

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

    /// Whether the value is compared as a number, as Booleans are.
    var isNumeric: Bool {
        switch self {
        case .boolean, .integer, .double: true
        default: false
        }
    }

    /// The value as a number; not a number if it is none.
    var number: Double {
        switch self {
        case .null: 0
        case .boolean(let flag): flag ? 1 : 0
        case .integer(let number): Double(number)
        case .double(let number): number
        case .string(let text): Double(decimal: text) ?? .nan
        case .array(let elements): elements.isEmpty ? 0 : elements.count == 1 ? elements[0].number : .nan
        case .object: .nan
        }
    }

    /// The value as a text.
    var text: String {
        switch self {
        case .string(let text): text
        case .array(let elements): elements.map(\.text).joined(separator: ",")
        case .object: "[object Object]"
        case .double(let number) where !number.isFinite: number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity"
        default: canonicalJSON
        }
    }

    /// How many steps it costs to look at all of the value.
    var size: Int {
        switch self {
        case .null, .boolean, .integer, .double: 1
        case .string(let text): 1 + text.utf8.count / 16
        case .array(let elements): elements.reduce(1) { $0 + $1.size }
        case .object(let members): members.reduce(1) { $0 + $1.key.utf8.count / 16 + $1.value.size }
        }
    }

    /// The result of arithmetic.
    init(result number: Double) {
        self = number.isFinite ? EntryValue(number: number) : .double(number)
    }
}

extension Double {
    /// Reads a decimal number with white space around it, and nothing else: neither `0x10` nor `inf`.
    init?(decimal text: String) {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0d).contains($0) }
        let bytes = text.utf8.drop(while: isSpace)
        guard let last = bytes.lastIndex(where: { !isSpace($0) }) else { return nil }
        let digits = bytes[...last]
        let isDecimal = digits.allSatisfy { byte in
            (0x30...0x39).contains(byte) || [0x2b, 0x2d, 0x2e, 0x45, 0x65].contains(byte)
        }
        guard isDecimal else { return nil }
        self.init(Substring(digits))
    }
}
