extension InputDecoder {
    /// Collects a control sequence (ECMA-48, section 5.4) up to its final byte.
    mutating func controlSequence(_ byte: UInt8) -> [InputEvent] {
        switch byte {
        case 0x20...0x3F:
            collect(byte)
            return []
        case UInt8(ascii: "[") where collected.isEmpty:
            // The Linux console sends its first five function keys as ESC [ [ A to E.
            collect(byte)
            return []
        case 0x40...0x7E:
            state = .ground
            return isTooLong ? [] : finished(collected, final: byte)
        default:
            // No byte of a sequence: it was cut off, and this is a key or the next sequence.
            return ground(byte)
        }
    }

    private mutating func finished(_ bytes: [UInt8], final: UInt8) -> [InputEvent] {
        let parameters = String(decoding: bytes, as: UTF8.self)
        let letter = Character(Unicode.Scalar(final))
        if parameters.hasPrefix("<"), letter == "M" || letter == "m" {
            return Self.mouse(parameters.dropFirst(), isPress: letter == "M").map { [.mouse($0)] } ?? []
        }
        let numbers = Self.numbers(parameters[...]).map { $0 ?? 0 }
        switch (letter, parameters) {
        case ("I", ""): return [.focus(true)]
        case ("O", ""): return [.focus(false)]
        case ("~", "200"):
            begin(.paste)
            return []
        case ("A"..."E", "["): return [.key(Key(.function(Int(final - UInt8(ascii: "A")) + 1)))]
        case ("Z", _): return [.key(Key(.tab, .shift))]
        case ("c", _), ("y", _), ("n", _), ("t", _):
            return [.reply(.controlSequence(parameters: parameters, final: letter))]
        case ("R", _) where numbers.count == 2 && numbers[0] > 1:
            return [.reply(.controlSequence(parameters: parameters, final: letter))]
        case _ where bytes.contains { !(0x30...0x3B ~= $0) }:
            // Private parameters and intermediate bytes make another sequence of it than a key's.
            return []
        default:
            return Self.key(numbers, letter).map { [.key($0)] } ?? []
        }
    }

    /// The numbers between semicolons; `nil` for what is missing, too large, or no row of digits.
    private static func numbers(_ parameters: Substring) -> [Int?] {
        parameters.split(separator: ";", omittingEmptySubsequences: false).map { digits in
            digits.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(digits) : nil
        }
    }

    /// xterm's cursor, editing and function keys: `CSI letter`, `CSI 1;m letter`, `CSI n~`, `CSI n;m~`.
    private static func key(_ numbers: [Int], _ letter: Character) -> Key? {
        let code = letter == "~" ? numbers.first.flatMap { codesByNumber[$0] } : codesByLetter[letter]
        let bits = numbers.count > 1 ? max(numbers[1] - 1, 0) : 0
        return code.map { Key($0, Key.Modifiers(rawValue: bits & 7)) }
    }

    static func singleShiftKey(_ byte: UInt8) -> Key? {
        if byte == UInt8(ascii: "M") { return Key(.enter) }
        return codesByLetter[Character(Unicode.Scalar(byte))].map { Key($0) }
    }

    private static let codesByLetter: [Character: Key.Code] = [
        "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end,
        "P": .function(1), "Q": .function(2), "R": .function(3), "S": .function(4),
    ]
    private static let codesByNumber: [Int: Key.Code] = [
        1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
        11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5), 17: .function(6),
        18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10), 23: .function(11), 24: .function(12),
    ]

    /// SGR mouse reports (xterm mode 1006): `button;column;row`, from 1.
    private static func mouse(_ parameters: Substring, isPress: Bool) -> MouseEvent? {
        let fields = numbers(parameters)
        guard fields.count == 3, let code = fields[0], let column = fields[1], let row = fields[2], column > 0, row > 0
        else { return nil }
        let point = Point(column: column - 1, row: row - 1)
        return mouseAction(code, isPress: isPress).map { MouseEvent($0, at: point) }
    }

    /// - Parameter code: the button in the two lowest bits; 32 for a movement, 64 for the wheel, 128 for buttons
    ///   beyond the third. The bits 4, 8 and 16 are shift, meta and control.
    private static func mouseAction(_ code: Int, isPress: Bool) -> MouseEvent.Action? {
        let button = code & 3
        switch code & ~(3 | 4 | 8 | 16) {
        case 0 where button < 3: return isPress ? .press(button: button) : .release(button: button)
        case 32 where button < 3: return .drag(button: button)
        case 64 where button < 2 && isPress: return .scroll(button == 0 ? -1 : 1)
        default: return nil
        }
    }
}
