// SPDX-License-Identifier: Apache-2.0

/// Turns the bytes of a terminal into input events.
///
/// A pure state machine: bytes may arrive in pieces of any size. One thing the bytes alone do not tell: whether an
/// ESC is the key or the beginning of a sequence, and whether `ESC ]` is Alt with a bracket or the beginning of an
/// answer. While ``isUndecided`` is true, the caller waits a moment for more bytes and, if none come, calls
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
    /// The events that are complete and not returned yet.
    private var events: [InputEvent] = []

    /// The most bytes kept of one sequence or pasted text; what is longer is cut (a paste) or dropped (a sequence).
    static let maximumSequence = 4096
    static let maximumPaste = 1 << 20

    /// Creates a decoder that has seen nothing.
    public init() {}

    /// Whether the last bytes were a key with ESC in it that may yet become a sequence.
    public var isUndecided: Bool { eventsIfNothingFollows != nil }

    /// The events that the next bytes complete, in order.
    public mutating func feed(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
        defer { events = [] }
        for byte in bytes { decode(byte) }
        return events
    }

    /// Says that no more bytes have followed for a while: an undecided ESC is the key, or Alt.
    public mutating func flush() -> [InputEvent] {
        guard let events = eventsIfNothingFollows else { return [] }
        state = .ground
        return events
    }

    /// What an undecided state means if no byte follows; `nil` while bytes have to follow.
    private var eventsIfNothingFollows: [InputEvent]? {
        switch state {
        case .escape: [.key(Key(.escape))]
        case .controlSequence where collected.isEmpty: [Self.altKey(UInt8(ascii: "["))]
        case .singleShift: [Self.altKey(UInt8(ascii: "O"))]
        case .string(let introducer, sawEscape: false) where collected.isEmpty: [Self.altKey(introducer)]
        // An answer that was cut off, and then nothing.
        case .string(_, sawEscape: true): []
        default: nil
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
        case UInt8(ascii: "]"), UInt8(ascii: "P"): begin(.string(introducer: byte, sawEscape: false))
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

    /// Collects an OSC or DCS answer up to BEL or ESC \. No answer has another control character in it, so one
    /// that comes is a key, and the answer was cut off.
    private mutating func string(introducer: UInt8, sawEscape: Bool, _ byte: UInt8) {
        switch byte {
        case 0x07,
            UInt8(ascii: "\\") where sawEscape:
            state = .ground
            let text = String(decoding: collected, as: UTF8.self)
            let isControl = introducer == UInt8(ascii: "P")
            if !isTooLong { events.append(.reply(isControl ? .deviceControl(text) : .operatingSystemCommand(text))) }
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
        case ("~", "200"): begin(.paste)
        case ("A"..."E", "["): emit(.function(Int(final - UInt8(ascii: "A")) + 1))
        case ("Z", _): emit(.tab, .shift)
        case ("c", _), ("y", _), ("n", _), ("t", _),
            ("R", _) where numbers.count == 2 && numbers[0] > 1:
            events.append(.reply(.controlSequence(parameters: parameters, final: letter)))
        // Private parameters and intermediate bytes make another sequence of it than a key's.
        case _ where bytes.contains { !(0x30...0x3B ~= $0) }: break
        default: reportKey(numbers, letter)
        }
    }

    /// The numbers between semicolons; `nil` for what is missing, too large, or no row of digits.
    private static func numbers(_ parameters: Substring) -> [Int?] {
        parameters.split(separator: ";", omittingEmptySubsequences: false).map { digits in
            digits.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(digits) : nil
        }
    }

    /// xterm's cursor, editing and function keys: `CSI letter`, `CSI 1;m letter`, `CSI n~`, `CSI n;m~`.
    private mutating func reportKey(_ numbers: [Int], _ letter: Character) {
        let code = letter == "~" ? numbers.first.flatMap { Self.codesByNumber[$0] } : Self.codesByLetter[letter]
        let bits = numbers.count > 1 ? max(numbers[1] - 1, 0) : 0
        if let code { emit(code, Key.Modifiers(rawValue: bits & 7)) }
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
