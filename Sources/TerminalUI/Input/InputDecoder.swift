/// Turns the bytes of a terminal into input events.
///
/// A pure state machine: bytes may arrive in pieces of any size. One thing the bytes alone do not tell: whether an
/// ESC is the key or the beginning of a sequence. While ``isUndecided`` is true, the caller waits a moment for more
/// bytes and, if none come, calls ``flush()``.
public struct InputDecoder: Sendable {
    enum State: Hashable, Sendable {
        case ground
        case escape
        case controlSequence
        case singleShift
        case string(introducer: UInt8, sawEscape: Bool)
        case paste
        case text(missing: Int)
    }

    var state = State.ground
    /// The bytes so far of the sequence, text or paste that has begun.
    var collected: [UInt8] = []

    /// The most bytes kept of one sequence or pasted text; what is longer is cut (a paste) or dropped (a sequence).
    static let maximumSequence = 4096
    static let maximumPaste = 1 << 20

    /// Creates a decoder that has seen nothing.
    public init() {}

    /// Whether the last byte was an ESC that may yet become a sequence.
    public var isUndecided: Bool { state == .escape }

    /// Takes the next bytes.
    ///
    /// - Returns: the events that are complete now, in order.
    public mutating func feed(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
        bytes.flatMap { take($0) }
    }

    /// Says that no more bytes have followed for a while: an undecided ESC is the key.
    public mutating func flush() -> [InputEvent] {
        guard isUndecided else { return [] }
        state = .ground
        return [.key(Key(.escape))]
    }

    private mutating func take(_ byte: UInt8) -> [InputEvent] {
        switch state {
        case .ground: return ground(byte, modifiers: [])
        case .escape: return afterEscape(byte)
        case .controlSequence: return controlSequence(byte)
        case .singleShift:
            state = .ground
            return Self.singleShiftKey(byte).map { [.key($0)] } ?? []
        case .string(let introducer, let sawEscape): return string(introducer: introducer, sawEscape: sawEscape, byte)
        case .paste: return paste(byte)
        case .text(let missing): return text(missing: missing, byte)
        }
    }

    /// Begins to collect.
    mutating func begin(_ next: State, with first: [UInt8] = []) {
        state = next
        collected = first
    }
}

extension InputDecoder {
    private mutating func ground(_ byte: UInt8, modifiers: Key.Modifiers) -> [InputEvent] {
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
        case 0xC2...0xDF: begin(.text(missing: 1), with: [byte])
        case 0xE0...0xEF: begin(.text(missing: 2), with: [byte])
        case 0xF0...0xF4: begin(.text(missing: 3), with: [byte])
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

    private mutating func text(missing: Int, _ byte: UInt8) -> [InputEvent] {
        guard byte & 0xC0 == 0x80 else { return ground(byte, modifiers: []) }
        collected.append(byte)
        if missing > 1 {
            state = .text(missing: missing - 1)
            return []
        }
        state = .ground
        guard let text = String(validating: collected, as: UTF8.self), let character = text.first else { return [] }
        return [.key(.character(character))]
    }

    /// Collects an OSC or DCS answer up to BEL or ESC \.
    private mutating func string(introducer: UInt8, sawEscape: Bool, _ byte: UInt8) -> [InputEvent] {
        let isEnd = byte == 0x07 || (sawEscape && byte == UInt8(ascii: "\\"))
        switch byte {
        case _ where isEnd:
            state = .ground
            let text = String(decoding: collected, as: UTF8.self)
            return [.reply(introducer == UInt8(ascii: "P") ? .deviceControl(text) : .operatingSystemCommand(text))]
        case _ where sawEscape:
            // A new sequence in the middle: the answer was cut off.
            state = .escape
            return afterEscape(byte)
        case 0x1B:
            state = .string(introducer: introducer, sawEscape: true)
        case _ where collected.count >= Self.maximumSequence:
            state = .ground
        default:
            collected.append(byte)
        }
        return []
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
