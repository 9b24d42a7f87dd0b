import ConfigModel
import TestSupport

/// Draws values that a document can hold, in the form that reading them gives.
struct ValueGenerator {
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func value() -> EntryValue {
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1: .string(text())
        case 2: .integer(integer())
        case 3, 4: number()
        case 5: .boolean(Bool.random(using: &random))
        case 6: .strings((0..<Int.random(in: 0..<5, using: &random)).map { _ in text() })
        case 7: .integers((0..<Int.random(in: 1..<5, using: &random)).map { _ in integer() })
        default: mixedArray()
        }
    }

    /// Any finite double, small and large alike.
    mutating func finiteDouble() -> Double {
        while true {
            let number =
                Bool.random(using: &random)
                ? Double(bitPattern: random.next())
                : Double.random(in: -1e22...1e22, using: &random).rounded()
            if number.isFinite { return number }
        }
    }

    mutating func integer() -> Int {
        let magnitude = Int.random(in: 0...53, using: &random)
        let number = magnitude == 53 ? EntryValue.maximumInteger : Int(random.next() & (1 << magnitude - 1))
        return Bool.random(using: &random) ? number : -number
    }

    mutating func text() -> String {
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

    private mutating func mixedArray() -> EntryValue {
        if Bool.random(using: &random) {
            return .booleans((0..<Int.random(in: 1..<5, using: &random)).map { _ in Bool.random(using: &random) })
        }
        return .doubles([0.5] + (0..<Int.random(in: 0..<4, using: &random)).map { _ in finiteDouble() })
    }
}
