// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// Generates values that a document can contain, in the form in which they are read.
package struct ValueGenerator {
    package var random: SeededGenerator

    package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    package mutating func value() -> EntryValue {
        // An object would be a branch of the keys in a plain document.
        while true {
            let value = anyValue()
            if value != .null, value.kindName != "object" { return value }
        }
    }

    /// A value that may be `null` or an object.
    package mutating func anyValue() -> EntryValue {
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1: .string(text())
        case 2: .integer(integer())
        case 3, 4: number()
        case 5: .boolean(Bool.random(using: &random))
        case 6: .array((0..<Int.random(in: 0..<5, using: &random)).map { _ in .string(text()) })
        case 7: .array((0..<Int.random(in: 1..<5, using: &random)).map { _ in number() })
        default: part(depth: Int.random(in: 0..<5, using: &random))
        }
    }

    /// A value that contains a text, so that it is unique: the text itself, or one time in ten an array or object with it.
    package mutating func value(holding text: String) -> EntryValue {
        switch Int.random(in: 0..<20, using: &random) {
        case 0: [.string(text), anyValue()]
        case 1: ["": anyValue(), "id": .string(text), "e\u{301}": [anyValue(), .null]]
        default: .string(text)
        }
    }

    /// Any finite double, small and large alike.
    package mutating func finiteDouble() -> Double {
        while true {
            let number =
                Bool.random(using: &random)
                ? Double(bitPattern: random.next())
                : Double.random(in: -1e22...1e22, using: &random).rounded()
            if number.isFinite { return number }
        }
    }

    package mutating func integer() -> Int {
        let magnitude = Int.random(in: 0...53, using: &random)
        let number = magnitude == 53 ? EntryValue.maximumInteger : Int(random.next() & (1 << magnitude - 1))
        return Bool.random(using: &random) ? number : -number
    }

    package mutating func text() -> String {
        // Names that only look the same come together often enough to be members of one object.
        if Int.random(in: 0..<8, using: &random) == 0, let name = EquivalentNames.all.randomElement(using: &random) {
            return name
        }
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<12, using: &random) {
            let limit: UInt32 = [0x20, 0x80, 0x3000, 0x11_0000].randomElement(using: &random) ?? 0x80
            if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &random)) { text.append(scalar) }
        }
        return String(text)
    }

    private mutating func number() -> EntryValue {
        let number = finiteDouble()
        let isInteger = number.magnitude <= Double(EntryValue.maximumInteger) && number == number.rounded()
        return isInteger ? .integer(Int(number)) : .double(number)
    }

    /// An array or object of values of any kinds, or one of those.
    private mutating func part(depth: Int) -> EntryValue {
        let count = 0..<Int.random(in: 0..<5, using: &random)
        switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &random) {
        case 0: return .null
        case 1: return .boolean(Bool.random(using: &random))
        case 2: return number()
        case 3: return .string(text())
        case 4: return .array(count.map { _ in part(depth: depth - 1) })
        default: return .object(EntryObject(count.map { _ in (key: text(), value: part(depth: depth - 1)) }))
        }
    }
}
