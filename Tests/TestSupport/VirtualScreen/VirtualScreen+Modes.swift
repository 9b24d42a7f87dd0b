// SPDX-License-Identifier: Apache-2.0

extension VirtualScreen {
    /// Performs the sequences that set and reset modes, and returns whether this is one.
    mutating func performModeChange(_ sequence: ControlSequence) -> Bool {
        switch sequence.function {
        case "?h": for mode in sequence.numbers { setPrivateMode(mode, true, sequence) }
        case "?l": for mode in sequence.numbers { setPrivateMode(mode, false, sequence) }
        case "h": for mode in sequence.numbers { setMode(mode, true, sequence) }
        case "l": for mode in sequence.numbers { setMode(mode, false, sequence) }
        case " q": return setCursorShape(sequence.number(0, default: 0))
        // The shape of the Linux console's cursor: 0 the default, 1 none, 2–6 from underline to block, 8 the block.
        case "?c" where (0...8).contains(sequence.number(0, default: -1)): break
        default: return false
        }
        return true
    }

    private mutating func setCursorShape(_ shape: Int) -> Bool {
        guard (0...6).contains(shape) else { return false }
        cursorShape = shape
        return true
    }

    private mutating func setMode(_ mode: Int, _ isSet: Bool, _ sequence: ControlSequence) {
        switch mode {
        // Insertion, which programs end unasked, and the visibility of screen's cursor.
        case 4 where !isSet, 34: break
        default: recordViolation("unknown mode \(mode) in \(sequence)")
        }
    }

    private mutating func setPrivateMode(_ mode: Int, _ isSet: Bool, _ sequence: ControlSequence) {
        switch mode {
        case 1049: return showAlternate(isSet)
        // 132 columns, origins at margins, side margins and old kinds of mouse report: terminfo's reset strings reset them
        // unasked.
        case 3 where !isSet, 6 where !isSet, 9 where !isSet, 69 where !isSet, 1001 where !isSet: return
        case _ where !Mode.known.contains(mode):
            recordViolation("unknown private mode \(mode) in \(sequence)")
            return
        default: break
        }
        modes.set(mode, isSet)
    }

    /// Changes between the main and the alternate screen, each with its own saved cursor: saves the main screen's cursor,
    /// clears the alternate screen, and restores.
    private mutating func showAlternate(_ isShown: Bool) {
        if isShown, !isAlternate { saveCursor() }
        if isShown != isAlternate {
            swap(&grid, &hiddenGrid)
            swap(&savedCursor, &hiddenSavedCursor)
            isAlternate = isShown
        }
        lastPosition = nil
        if isShown { grid.fill(with: blank) } else { restoreCursor() }
    }

    /// Whether a private mode is set, those of the alternate screen included.
    package func isSet(privateMode mode: Int) -> Bool {
        mode == 1049 ? isAlternate : modes.contains(mode)
    }
}
