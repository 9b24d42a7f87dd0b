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

    var state = State.ground
    /// The bytes so far of the sequence, text or paste that has begun.
    var collected: [UInt8] = []

    /// The most bytes kept of one sequence or pasted text; what is longer is cut (a paste) or dropped (a sequence).
    static let maximumSequence = 4096
    static let maximumPaste = 1 << 20

    /// Creates a decoder that has seen nothing.
    public init() {}

    /// Whether the last bytes were a key with ESC in it that may yet become a sequence.
    public var isUndecided: Bool { eventsIfNothingFollows != nil }

    /// The events that the next bytes complete, in order.
    public mutating func feed(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
        bytes.flatMap { decode($0) }
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

    private mutating func decode(_ byte: UInt8) -> [InputEvent] {
        switch state {
        case .ground: return ground(byte)
        case .escape: return afterEscape(byte)
        case .controlSequence: return controlSequence(byte)
        case .singleShift: return afterSingleShift(byte)
        case .string(let introducer, let sawEscape): return string(introducer: introducer, sawEscape: sawEscape, byte)
        case .paste: return paste(byte)
        case .text(let missing, let modifiers): return text(missing: missing, modifiers, byte)
        }
    }

    mutating func begin(_ next: State, with first: [UInt8] = []) {
        state = next
        collected = first
    }

    /// Keeps a byte of a sequence. One more than the maximum marks the sequence as too long.
    mutating func collect(_ byte: UInt8) {
        if !isTooLong { collected.append(byte) }
    }

    /// Whether the sequence so far is longer than any that means something.
    var isTooLong: Bool { collected.count > Self.maximumSequence }
}

extension InputDecoder {
    mutating func ground(_ byte: UInt8, modifiers: Key.Modifiers = []) -> [InputEvent] {
        state = .ground
        switch byte {
        case 0x1B: state = .escape
        case 0x0D, 0x0A: return [.key(Key(.enter, modifiers))]
        case 0x09: return [.key(Key(.tab, modifiers))]
        case 0x7F, 0x08: return [.key(Key(.backspace, modifiers))]
        case 0x00: return [.key(Key(.character(" "), modifiers.union(.control)))]
        case 0x01...0x1A:
            return [.key(Key(.character(Character(Unicode.Scalar(byte + 0x60))), modifiers.union(.control)))]
        case 0x20...0x7E: return [.key(Key(.character(Character(Unicode.Scalar(byte))), modifiers))]
        case 0xC2...0xDF: begin(.text(missing: 1, modifiers: modifiers), with: [byte])
        case 0xE0...0xEF: begin(.text(missing: 2, modifiers: modifiers), with: [byte])
        case 0xF0...0xF4: begin(.text(missing: 3, modifiers: modifiers), with: [byte])
        default: break
        }
        return []
    }

    private mutating func afterEscape(_ byte: UInt8) -> [InputEvent] {
        switch byte {
        case UInt8(ascii: "["): begin(.controlSequence)
        case UInt8(ascii: "O"): state = .singleShift
        case UInt8(ascii: "]"), UInt8(ascii: "P"): begin(.string(introducer: byte, sawEscape: false))
        case 0x1B: return [.key(Key(.escape))]
        default: return ground(byte, modifiers: .alt)
        }
        return []
    }

    /// Decodes the byte after `ESC O`: a key of the keypad, or something else if the sequence was cut off.
    private mutating func afterSingleShift(_ byte: UInt8) -> [InputEvent] {
        guard 0x20..<0x7F ~= byte else { return ground(byte) }
        state = .ground
        return Self.singleShiftKey(byte).map { [.key($0)] } ?? []
    }

    private mutating func text(missing: Int, _ modifiers: Key.Modifiers, _ byte: UInt8) -> [InputEvent] {
        guard byte & 0xC0 == 0x80 else { return ground(byte) }
        collected.append(byte)
        if missing > 1 {
            state = .text(missing: missing - 1, modifiers: modifiers)
            return []
        }
        state = .ground
        guard let text = String(validating: collected, as: UTF8.self), let character = text.first else { return [] }
        return [.key(Key(.character(character), modifiers))]
    }

    /// Collects an OSC or DCS answer up to BEL or ESC \. No answer has another control character in it, so one
    /// that comes is a key, and the answer was cut off.
    private mutating func string(introducer: UInt8, sawEscape: Bool, _ byte: UInt8) -> [InputEvent] {
        let isEnd = byte == 0x07 || (sawEscape && byte == UInt8(ascii: "\\"))
        switch byte {
        case _ where isEnd:
            state = .ground
            return isTooLong ? [] : [.reply(reply(introducer: introducer))]
        case _ where sawEscape:
            // A new sequence in the middle: the answer was cut off.
            state = .escape
            return afterEscape(byte)
        case 0x1B:
            state = .string(introducer: introducer, sawEscape: true)
        case ..<0x20:
            return ground(byte)
        default:
            collect(byte)
        }
        return []
    }

    private func reply(introducer: UInt8) -> TerminalReply {
        let text = String(decoding: collected, as: UTF8.self)
        return introducer == UInt8(ascii: "P") ? .deviceControl(text) : .operatingSystemCommand(text)
    }

    private mutating func paste(_ byte: UInt8) -> [InputEvent] {
        collected.append(byte)
        if collected.count > Self.maximumPaste + Self.endOfPaste.count { collected.remove(at: Self.maximumPaste) }
        guard byte == Self.endOfPaste.last, collected.suffix(Self.endOfPaste.count).elementsEqual(Self.endOfPaste)
        else { return [] }
        state = .ground
        return [.paste(String(decoding: collected.dropLast(Self.endOfPaste.count), as: UTF8.self))]
    }

    private static let endOfPaste = Array("\u{1B}[201~".utf8)
}
