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
        case 4: isInserting = isSet
        case 20: returnsOnLineFeed = isSet
        // The visibility of screen's cursor.
        case 34: break
        default: recordViolation("unknown mode \(mode) in \(sequence)")
        }
    }

    private mutating func setPrivateMode(_ mode: Int, _ isSet: Bool, _ sequence: ControlSequence) {
        switch mode {
        case Mode.origin:
            cursor.hasOriginAtMargin = isSet
            moveCursor(row: isSet ? margins.lowerBound : 0, column: 0)
        case 47, 1047, 1049:
            showAlternate(isSet, mode: mode)
            return
        case 1048:
            if isSet { saveCursor() } else { restoreCursor() }
            return
        // 132 columns, side margins and old kinds of mouse report: terminfo's reset strings reset them unasked.
        case 3 where !isSet, 9 where !isSet, 69 where !isSet, 1001 where !isSet:
            return
        case _ where !Mode.known.contains(mode):
            recordViolation("unknown private mode \(mode) in \(sequence)")
            return
        default: break
        }
        modes.set(mode, isSet)
    }

    /// Changes between the main and the alternate screen, each with its own saved cursor.
    ///
    /// 1049 also saves the main screen's cursor, clears the alternate screen and restores; 1047 clears it on leaving.
    private mutating func showAlternate(_ isShown: Bool, mode: Int) {
        if mode == 1049, isShown, !isAlternate { saveCursor() }
        if mode == 1047, !isShown, isAlternate { grid.fill(with: blank) }
        if isShown != isAlternate {
            swap(&grid, &hiddenGrid)
            swap(&savedCursor, &hiddenSavedCursor)
            isAlternate = isShown
        }
        lastPosition = nil
        guard mode == 1049 else { return }
        if isShown { grid.fill(with: blank) } else { restoreCursor() }
    }

    /// Whether a private mode is set, those of the alternate screen included.
    package func isSet(privateMode mode: Int) -> Bool {
        [47, 1047, 1049].contains(mode) ? isAlternate : modes.contains(mode)
    }
}
