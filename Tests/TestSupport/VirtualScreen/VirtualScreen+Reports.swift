// SPDX-License-Identifier: Apache-2.0

extension VirtualScreen {
    /// Performs the sequences that ask for something, and those about the title; returns whether this is one.
    mutating func performReport(_ sequence: ControlSequence) -> Bool {
        let number = sequence.number(0, default: 0)
        switch (sequence.function, number) {
        case ("c", 0): reportDeviceAttributes()
        case ("n", 5): if configuration.answers.reportsStatus { respond("\u{1B}[0n") }
        case ("n", 6): if configuration.answers.reportsStatus { reportCursorPosition() }
        case ("?$p", _): reportMode(number)
        case ("?u", _): if configuration.answers.hasKeyboardProtocol { respond("\u{1B}[?\(keyboardFlags)u") }
        case ("=u", _): keyboardFlags = number
        case ("t", 22) where sequence.number(1, default: 0) != 1: titleStack.append(title)
        case ("t", 23) where sequence.number(1, default: 0) != 1: title = titleStack.popLast() ?? title
        // The title of the icon alone.
        case ("t", 22), ("t", 23): break
        default: return false
        }
        return true
    }

    private mutating func reportDeviceAttributes() {
        if let attributes = configuration.answers.deviceAttributes { respond("\u{1B}[\(attributes)c") }
    }

    private mutating func reportCursorPosition() {
        respond("\u{1B}[\(cursor.row + 1);\(cursor.column + 1)R")
    }

    /// DECRPM: 0 for a mode that is not known, 1 for one that is set, 2 for one that is not.
    private mutating func reportMode(_ mode: Int) {
        guard let known = configuration.answers.knownModes else { return }
        let state = known.contains(mode) ? (isSet(privateMode: mode) ? 1 : 2) : 0
        respond("\u{1B}[?\(mode);\(state)$y")
    }

    mutating func respond(_ answer: String) {
        responses += Array(answer.utf8)
    }
}
