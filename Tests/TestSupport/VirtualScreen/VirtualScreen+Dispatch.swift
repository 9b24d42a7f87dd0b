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
        case 0x0A, 0x0B, 0x0C: lineFeed()
        case 0x0D: moveCursor(column: 0)
        case 0x0E: cursor.charsets.selected = 1
        case 0x0F: cursor.charsets.selected = 0
        default: break
        }
    }

    private mutating func lineFeed() {
        index()
        if returnsOnLineFeed { moveCursor(column: 0) }
    }

    // MARK: Escape sequences

    private mutating func escape(_ intermediates: [UInt8], _ final: UInt8) {
        let function = (intermediates + [final]).readable
        if let slot = ["(", ")", "*", "+"].firstIndex(of: intermediates.readable),
            let charset = Charsets.Charset(designator: final)
        {
            cursor.charsets.designate(slot, as: charset)
            return
        }
        switch function {
        case "7": saveCursor()
        case "8": restoreCursor()
        case "D": index()
        case "E": nextLine()
        case "M": reverseIndex()
        case "H": tabStops.insert(cursor.column)
        case "Z": reportDeviceAttributes()
        case "c": reset()
        case "#8": alignmentTest()
        // The codes of the keypad, to leave the VT52 mode, to use UTF-8, and the end of a string that was finished before:
        // nothing to do.
        case "=", ">", "<", "%G", "\\": break
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

    // MARK: Resets

    /// RIS: everything as it was at the start; what was noted stays noted.
    private mutating func reset() {
        var fresh = VirtualScreen(columns: columns, rows: rows, configuration: configuration)
        fresh.violations = violations
        fresh.responses = responses
        // It may already be within the sequence after this one.
        fresh.parser = parser
        self = fresh
    }

    /// DECSTR: modes, margins, style and character sets as at the start; the cells stay.
    mutating func softReset() {
        modes.insert(Mode.autowrap)
        modes.insert(Mode.visibleCursor)
        modes.remove(Mode.origin)
        modes.remove(Mode.applicationCursorKeys)
        isInserting = false
        margins = 0...rows - 1
        cursor.style = Style()
        cursor.charsets = Charsets()
        cursor.hasOriginAtMargin = false
        savedCursor = nil
    }
}
