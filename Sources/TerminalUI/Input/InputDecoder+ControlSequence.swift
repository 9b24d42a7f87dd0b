extension InputDecoder {
    /// Collects a control sequence (ECMA-48, section 5.4) up to its final byte.
    mutating func controlSequence(_ byte: UInt8) -> [InputEvent] {
        // The Linux console sends its first five function keys as ESC [ [ A to E.
        let isLinuxFunctionKey = collected.isEmpty && byte == UInt8(ascii: "[")
        switch byte {
        case 0x20...0x3F where collected.count < 64, UInt8(ascii: "[") where isLinuxFunctionKey:
            collected.append(byte)
            return []
        case 0x40...0x7E:
            state = .ground
            return finished(collected, final: byte)
        case 0x1B:
            state = .escape
            return []
        default:
            state = .ground
            return []
        }
    }

    private mutating func finished(_ bytes: [UInt8], final: UInt8) -> [InputEvent] {
        let parameters = String(decoding: bytes, as: UTF8.self)
        let letter = Character(Unicode.Scalar(final))
        let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        if parameters.hasPrefix("<"), letter == "M" || letter == "m" {
            return Self.mouse(parameters.dropFirst(), isPress: letter == "M").map { [.mouse($0)] } ?? []
        }
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
        default:
            return Self.key(numbers, letter).map { [.key($0)] } ?? []
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
        let numbers = parameters.split(separator: ";").compactMap { Int($0) }
        guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return nil }
        let point = Point(column: numbers[1] - 1, row: numbers[2] - 1)
        let button = numbers[0] & 3
        switch numbers[0] {
        case let code where code & 64 != 0:
            return button < 2 ? MouseEvent(.scroll(button == 0 ? -1 : 1), at: point) : nil
        case let code where code & 32 != 0:
            return button < 3 ? MouseEvent(.drag(button: button), at: point) : nil
        default:
            return button < 3 ? MouseEvent(isPress ? .press(button: button) : .release(button: button), at: point) : nil
        }
    }
}
