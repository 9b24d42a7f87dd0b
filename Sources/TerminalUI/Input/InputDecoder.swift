// SPDX-License-Identifier: Apache-2.0

/// Turns the bytes of a terminal into input events.
///
/// A pure state machine: bytes may arrive in pieces of any size. The bytes alone do not show two things: whether an ESC
/// is the key or the beginning of a sequence, and whether the end of a sequence or a pasted text still comes. While
/// there is something ``unfinished``, the caller waits for more bytes and, when it has waited long enough, calls
/// ``flush()``.
///
/// A sequence that is cut off or too long is dropped, and no key that follows it is lost.
public struct InputDecoder: Sendable {
    enum State: Hashable, Sendable {
        case ground
        case escape
        case controlSequence
        case singleShift
        case string(introducer: UInt8, sawEscape: Bool)
        case paste
        case text(missing: Int, modifiers: Key.Modifiers)
    }

    private(set) var state = State.ground
    /// The bytes so far of the sequence, text or paste that has begun.
    private(set) var collected: [UInt8] = []
    /// The bytes so far of the pasted text, of which ``collected`` keeps no more than ``maximumPaste``.
    private var pasted = 0
    /// The events that are complete and not returned yet.
    private var events: [InputEvent] = []

    /// Something that the last bytes have begun.
    public enum Unfinished: Hashable, Sendable {
        /// A key with ESC in it that may yet become a sequence.
        case key
        /// A sequence, or an answer of the terminal.
        case sequence
        /// A pasted text, with the number of its bytes so far.
        case paste(count: Int)
    }

    /// The maximum size of one sequence or pasted text, in bytes; a longer paste is cut, a longer sequence dropped.
    static let maximumSequence = 4096
    static let maximumPaste = 1 << 20

    /// Creates a decoder that has seen nothing.
    public init() {}

    /// The input that the last bytes have begun; `nil` if nothing, or a character that the next byte ends in any case.
    public var unfinished: Unfinished? {
        switch state {
        case .ground, .text: nil
        case .escape, .singleShift: .key
        case .controlSequence, .string(_, sawEscape: false): collected.isEmpty ? .key : .sequence
        case .string(_, sawEscape: true): .sequence
        case .paste: .paste(count: pasted)
        }
    }

    /// The events that the next bytes complete, in order.
    public mutating func feed(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
        defer { events = [] }
        for byte in bytes { decode(byte) }
        return events
    }

    /// Ends an incomplete sequence after a timeout: an ESC is the key, or Alt; a pasted text is emitted as it is; the beginning
    /// of a sequence is dropped.
    public mutating func flush() -> [InputEvent] {
        guard unfinished != nil else { return [] }
        defer { state = .ground }
        switch state {
        case .escape: return [.key(Key(.escape))]
        case .controlSequence where collected.isEmpty: return [Self.altKey(UInt8(ascii: "["))]
        case .singleShift: return [Self.altKey(UInt8(ascii: "O"))]
        case .string(let introducer, sawEscape: false) where collected.isEmpty: return [Self.altKey(introducer)]
        case .paste where !collected.isEmpty: return [.paste(String(decoding: collected, as: UTF8.self))]
        default: return []
        }
    }

    private static func altKey(_ byte: UInt8) -> InputEvent {
        .key(Key(.character(Character(Unicode.Scalar(byte))), .alt))
    }

    private mutating func decode(_ byte: UInt8) {
        switch state {
        case .ground: ground(byte)
        case .escape: afterEscape(byte)
        case .controlSequence: controlSequence(byte)
        case .singleShift: afterSingleShift(byte)
        case .string(let introducer, let sawEscape): string(introducer: introducer, sawEscape: sawEscape, byte)
        case .paste: paste(byte)
        case .text(let missing, let modifiers): text(missing: missing, modifiers, byte)
        }
    }

    private mutating func emit(_ code: Key.Code, _ modifiers: Key.Modifiers = []) {
        events.append(.key(Key(code, modifiers)))
    }

    /// Begins to collect.
    private mutating func begin(_ next: State, with first: [UInt8] = []) {
        state = next
        collected = first
    }

    /// Keeps a byte of a sequence. One more than the maximum marks the sequence as too long.
    private mutating func collect(_ byte: UInt8) {
        if !isTooLong { collected.append(byte) }
    }

    private var isTooLong: Bool { collected.count > Self.maximumSequence }
}

extension InputDecoder {
    private mutating func ground(_ byte: UInt8, modifiers: Key.Modifiers = []) {
        state = .ground
        switch byte {
        case 0x1B: state = .escape
        case 0x0D, 0x0A: emit(.enter, modifiers)
        case 0x09: emit(.tab, modifiers)
        case 0x7F, 0x08: emit(.backspace, modifiers)
        case 0x00: emit(.character(" "), modifiers.union(.control))
        case 0x01...0x1A: emit(.character(Character(Unicode.Scalar(byte + 0x60))), modifiers.union(.control))
        case 0x20...0x7E: emit(.character(Character(Unicode.Scalar(byte))), modifiers)
        case 0xC2...0xDF: begin(.text(missing: 1, modifiers: modifiers), with: [byte])
        case 0xE0...0xEF: begin(.text(missing: 2, modifiers: modifiers), with: [byte])
        case 0xF0...0xF4: begin(.text(missing: 3, modifiers: modifiers), with: [byte])
        default: break
        }
    }

    private mutating func afterEscape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "["): begin(.controlSequence)
        case UInt8(ascii: "O"): state = .singleShift
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"):
            begin(.string(introducer: byte, sawEscape: false))
        case 0x1B: emit(.escape)
        default: ground(byte, modifiers: .alt)
        }
    }

    /// Decodes the byte after `ESC O`: a key of the keypad, or something else if the sequence was cut off.
    private mutating func afterSingleShift(_ byte: UInt8) {
        guard 0x20..<0x7F ~= byte else { return ground(byte) }
        state = .ground
        let isEnter = byte == UInt8(ascii: "M")
        let code: Key.Code? = isEnter ? .enter : Self.codesByLetter[Character(Unicode.Scalar(byte))]
        if let code { emit(code) }
    }

    private mutating func text(missing: Int, _ modifiers: Key.Modifiers, _ byte: UInt8) {
        guard byte & 0xC0 == 0x80 else { return ground(byte) }
        collected.append(byte)
        guard missing == 1 else { return state = .text(missing: missing - 1, modifiers: modifiers) }
        state = .ground
        if let text = String(validating: collected, as: UTF8.self), let character = text.first {
            emit(.character(character), modifiers)
        }
    }

    /// Collects a string up to BEL or ESC \: an OSC answer, or one that nothing asks for (DCS, APC, PM). No answer has
    /// another control character in it, so one that comes is a key, and the answer was cut off.
    private mutating func string(introducer: UInt8, sawEscape: Bool, _ byte: UInt8) {
        switch byte {
        case 0x07,
            UInt8(ascii: "\\") where sawEscape:
            state = .ground
            guard introducer == UInt8(ascii: "]"), !isTooLong else { return }
            events.append(.reply(.operatingSystemCommand(String(decoding: collected, as: UTF8.self))))
        case _ where sawEscape:
            // A new sequence in the middle: the answer was cut off.
            state = .escape
            afterEscape(byte)
        case 0x1B: state = .string(introducer: introducer, sawEscape: true)
        case ..<0x20: ground(byte)
        default: collect(byte)
        }
    }

    private mutating func paste(_ byte: UInt8) {
        pasted += 1
        collected.append(byte)
        if collected.count > Self.maximumPaste + Self.endOfPaste.count { collected.remove(at: Self.maximumPaste) }
        guard byte == Self.endOfPaste.last, collected.suffix(Self.endOfPaste.count).elementsEqual(Self.endOfPaste)
        else { return }
        state = .ground
        events.append(.paste(String(decoding: collected.dropLast(Self.endOfPaste.count), as: UTF8.self)))
    }

    private static let endOfPaste = Array("\u{1B}[201~".utf8)
}

extension InputDecoder {
    /// Collects a control sequence (ECMA-48, section 5.4) up to its final byte.
    private mutating func controlSequence(_ byte: UInt8) {
        switch byte {
        case 0x20...0x3F: collect(byte)
        // The Linux console sends its first five function keys as ESC [ [ A to E.
        case UInt8(ascii: "[") where collected.isEmpty: collect(byte)
        case 0x40...0x7E:
            state = .ground
            if !isTooLong { finish(collected, final: byte) }
        // No byte of a sequence: it was cut off, and this is a key or the next sequence.
        default: ground(byte)
        }
    }

    private mutating func finish(_ bytes: [UInt8], final: UInt8) {
        let parameters = String(decoding: bytes, as: UTF8.self)
        let letter = Character(Unicode.Scalar(final))
        if parameters.hasPrefix("<"), letter == "M" || letter == "m" {
            return reportMouse(Self.numbers(parameters.dropFirst()), isPress: letter == "M")
        }
        let numbers = Self.numbers(parameters[...]).map { $0 ?? 0 }
        switch (letter, parameters) {
        case ("I", ""): events.append(.focus(true))
        case ("O", ""): events.append(.focus(false))
        case ("~", "200"):
            begin(.paste)
            pasted = 0
        case ("A"..."E", "["): emit(.function(Int(final - UInt8(ascii: "A")) + 1))
        case ("Z", _): emit(.tab, .shift)
        case ("c", _), ("y", _), ("n", _), ("t", _),
            ("R", _) where numbers.count == 2 && numbers[0] > 1,
            ("u", _) where parameters.hasPrefix("?"):
            events.append(.reply(.controlSequence(parameters: parameters, final: letter)))
        // Private parameters and intermediate bytes make another sequence of it than a key's.
        case _ where bytes.contains { !(0x30...0x3B ~= $0) }: break
        case ("u", _): reportCharacter(parameters)
        default: reportKey(numbers, letter)
        }
    }

    /// The numbers between semicolons; `nil` for missing, too large or malformed ones.
    private static func numbers(_ parameters: Substring) -> [Int?] {
        parameters.split(separator: ";", omittingEmptySubsequences: false).map { TerminalReply.number($0) }
    }

    /// xterm's cursor, editing and function keys: `CSI letter`, `CSI 1;m letter`, `CSI n~`, `CSI n;m~`.
    private mutating func reportKey(_ numbers: [Int], _ letter: Character) {
        let code = letter == "~" ? numbers.first.flatMap { Self.codesByNumber[$0] } : Self.codesByLetter[letter]
        let bits = numbers.count > 1 ? max(numbers[1] - 1, 0) : 0
        if let code { emit(code, Key.Modifiers(rawValue: bits & 7)) }
    }

    /// Keys by kitty's protocol: `CSI code u`, `CSI code;m u`, with the code point that the key types, or a number for one
    /// that types nothing.
    private mutating func reportCharacter(_ parameters: String) {
        // Each number may have others after colons.
        let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { field in
            field.split(separator: ":").first.flatMap { TerminalReply.number($0, upTo: 0x10FFFF) }
        }
        let bits = max((numbers.dropFirst().first.flatMap { $0 } ?? 1) - 1, 0)
        // Super, hyper and meta make another key of it, Caps Lock and Num Lock do not.
        guard let number = numbers.first.flatMap({ $0 }), bits & 0b111000 == 0 else { return }
        var modifiers = Key.Modifiers(rawValue: bits & 7)
        if let code = Self.codesByCodePoint[number] { return emit(code, modifiers) }
        guard let scalar = Unicode.Scalar(UInt32(number)),
            ![.control, .privateUse].contains(scalar.properties.generalCategory)
        else { return }
        // As terminals report keys without the protocol: Ctrl with a letter in either case, others with the capital.
        let name = String(Character(scalar))
        let isShifted = modifiers.remove(.shift) != nil
        let spelled = modifiers.contains(.control) ? name.lowercased() : isShifted ? name.uppercased() : name
        let character = Character(spelled.count == 1 ? spelled : name)
        emit(.character(character), modifiers)
    }

    private static let codesByCodePoint: [Int: Key.Code] = {
        var codes: [Int: Key.Code] = [
            9: .tab, 13: .enter, 27: .escape, 127: .backspace,
            // The keypad.
            57414: .enter, 57417: .left, 57418: .right, 57419: .up, 57420: .down, 57421: .pageUp, 57422: .pageDown,
            57423: .home, 57424: .end, 57425: .insert, 57426: .delete,
        ]
        for (offset, character) in "0123456789./*-+".enumerated() { codes[57399 + offset] = .character(character) }
        (codes[57415], codes[57416]) = (.character("="), .character(","))
        return codes
    }()

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
    private mutating func reportMouse(_ fields: [Int?], isPress: Bool) {
        guard fields.count == 3, let code = fields[0], let column = fields[1], let row = fields[2], column > 0, row > 0,
            let action = Self.mouseAction(code, isPress: isPress)
        else { return }
        events.append(.mouse(MouseEvent(action, at: Point(column: column - 1, row: row - 1))))
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
