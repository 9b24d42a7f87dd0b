// SPDX-License-Identifier: Apache-2.0

extension VirtualScreen {
    mutating func handle(_ event: EscapeParser.Event) {
        switch event {
        case .print(let scalar): show(scalar)
        case .control(let byte): control(byte)
        case .escape(let intermediates, let final): escape(intermediates, final)
        case .sequence(let sequence): perform(sequence)
        case .string(let string): perform(string)
        case .malformed(let description): recordViolation(description)
        }
    }

    // MARK: Control bytes

    private mutating func control(_ byte: UInt8) {
        if !configuration.allowedControls.contains(byte) {
            recordViolation("control byte \(byte.hexadecimal)")
        }
        switch byte {
        case 0x08: moveCursor(column: cursor.column - 1)
        case 0x09: advanceTab(by: 1)
        case 0x0A: index()
        case 0x0D: moveCursor(column: 0)
        default: break
        }
    }

    // MARK: Escape sequences

    private mutating func escape(_ intermediates: [UInt8], _ final: UInt8) {
        let function = (intermediates + [final]).readable
        switch function {
        case "7": saveCursor()
        case "8": restoreCursor()
        // The codes of the keypad, and character sets, of which the first one stays: nothing to do.
        case "=", ">", "(B", ")0": break
        default: recordViolation("escape sequence ESC \(function)")
        }
    }

    // MARK: Control sequences

    private mutating func perform(_ sequence: ControlSequence) {
        let isKnown =
            performMotion(sequence) || performEdit(sequence) || performModeChange(sequence)
            || performStyle(sequence) || performReport(sequence)
        if !isKnown { recordViolation("control sequence \(sequence)") }
    }

    /// DECSTR: modes, margins and style as at the start; the cells stay.
    mutating func softReset() {
        modes.insert(Mode.autowrap)
        modes.insert(Mode.visibleCursor)
        modes.remove(Mode.applicationCursorKeys)
        margins = 0...rows - 1
        cursor.style = Style()
        savedCursor = nil
    }
}
