// SPDX-License-Identifier: Apache-2.0

/// Cuts the bytes that a program sends to its terminal into characters and control sequences, in the form of
/// ECMA-48 as terminals of today read it: UTF-8, no eight-bit controls.
struct EscapeParser: Sendable {
    enum Event: Equatable {
        /// A character to show.
        case print(Unicode.Scalar)
        /// A C0 control byte (never ESC), or DEL.
        case control(UInt8)
        /// ESC, intermediate bytes and a final byte.
        case escape(intermediates: [UInt8], final: UInt8)
        case sequence(ControlSequence)
        case string(ControlString)
        /// Bytes that mean nothing, described for a person.
        case malformed(String)
    }

    private enum State {
        case ground
        case escape
        case sequence
        case string
        /// An escape within a string: its end, if a backslash follows.
        case stringEscape
    }

    private var state = State.ground
    private var decoder = UTF8Decoder()
    /// The bytes of the escape or control sequence so far.
    private var body: [UInt8] = []
    private var string = ControlString(kind: .operatingSystem)

    /// Reads more bytes and adds what they mean to the events.
    mutating func parse(_ bytes: some Sequence<UInt8>, into events: inout [Event]) {
        for byte in bytes { parse(byte, into: &events) }
    }

    private mutating func parse(_ byte: UInt8, into events: inout [Event]) {
        switch state {
        case .ground: parseGround(byte, into: &events)
        case .escape: parseEscape(byte, into: &events)
        case .sequence: parseSequence(byte, into: &events)
        case .string: parseString(byte, into: &events)
        case .stringEscape: parseStringEscape(byte, into: &events)
        }
    }

    private mutating func enter(_ next: State) {
        state = next
        body.removeAll(keepingCapacity: true)
    }

    // MARK: Characters

    private mutating func parseGround(_ byte: UInt8, into events: inout [Event]) {
        switch decoder.decode(byte) {
        case .incomplete:
            break
        case .scalar(let scalar):
            emit(scalar, into: &events)
        case .invalid(let isByteUsed):
            events.append(.malformed("invalid UTF-8 at byte \(byte.hexadecimal)"))
            if !isByteUsed { parse(byte, into: &events) }
        }
    }

    private mutating func emit(_ scalar: Unicode.Scalar, into events: inout [Event]) {
        switch scalar.value {
        case 0x1B: enter(.escape)
        case 0..<0x20, 0x7F: events.append(.control(UInt8(scalar.value)))
        // A terminal may take these for control sequences, so no text may hold them.
        case 0x80..<0xA0: events.append(.malformed("C1 control U+00\(UInt8(scalar.value).hexadecimal)"))
        default: events.append(.print(scalar))
        }
    }

    // MARK: Escape sequences

    private mutating func parseEscape(_ byte: UInt8, into events: inout [Event]) {
        switch byte {
        case 0x20..<0x30 where body.count < 3:
            body.append(byte)
        case UInt8(ascii: "[") where body.isEmpty:
            enter(.sequence)
        case 0x30..<0x7F:
            if body.isEmpty, let kind = ControlString.Kind(introducer: byte) {
                string = ControlString(kind: kind)
                enter(.string)
            } else {
                state = .ground
                events.append(.escape(intermediates: body, final: byte))
            }
        default:
            interrupt(by: byte, what: "escape sequence", into: &events)
        }
    }

    private mutating func parseSequence(_ byte: UInt8, into events: inout [Event]) {
        switch byte {
        case 0x20..<0x40 where body.count < 256:
            body.append(byte)
        case 0x40..<0x7F:
            state = .ground
            if let sequence = ControlSequence(body: body, final: byte) {
                events.append(.sequence(sequence))
            } else {
                events.append(.malformed("control sequence CSI \((body + [byte]).readable)"))
            }
        default:
            interrupt(by: byte, what: "control sequence", into: &events)
        }
    }

    /// Handles interruptions of a sequence: a control byte, which acts at once, or a byte that cancels it.
    private mutating func interrupt(by byte: UInt8, what: String, into events: inout [Event]) {
        switch byte {
        case 0..<0x18, 0x19, 0x1C..<0x20:
            events.append(.control(byte))
        case 0x1B:
            events.append(.malformed("unfinished \(what)"))
            enter(.escape)
        default:
            events.append(.malformed("\(what) broken off by byte \(byte.hexadecimal)"))
            state = .ground
        }
    }

    // MARK: Strings

    private mutating func parseString(_ byte: UInt8, into events: inout [Event]) {
        if byte == 0x1B {
            state = .stringEscape
        } else if byte == 0x07, string.kind == .operatingSystem {
            string.endsWithBell = true
            finishString(into: &events)
        } else if byte < 0x20 || string.bytes.count >= 1 << 20 {
            state = .ground
            events.append(.malformed("\(string.kind) string broken off by byte \(byte.hexadecimal)"))
        } else {
            string.bytes.append(byte)
        }
    }

    private mutating func parseStringEscape(_ byte: UInt8, into events: inout [Event]) {
        if byte == UInt8(ascii: "\\") {
            finishString(into: &events)
        } else {
            events.append(.malformed("unfinished \(string.kind) string"))
            enter(.escape)
            parse(byte, into: &events)
        }
    }

    private mutating func finishString(into events: inout [Event]) {
        state = .ground
        events.append(.string(string))
    }
}
