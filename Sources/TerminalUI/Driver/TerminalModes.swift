/// What is switched on in the terminal while the program has it, beyond what curses sees to.
struct TerminalModes {
    /// Switches on.
    let enter: [UInt8]
    /// Switches off, in the opposite order.
    let leave: [UInt8]

    /// - Parameter isXtermLike: whether the terminal understands xterm's private modes; others get none.
    init(isXtermLike: Bool) {
        // Presses and releases of the mouse (1000) in decimal (1006), which reaches beyond column 223; whether the
        // window has the keyboard (1004); pasted text in brackets (2004).
        let modes = isXtermLike ? [1000, 1006, 1004, 2004] : []
        let saveTitle = isXtermLike ? "\u{1B}[22;2t" : ""
        let restoreTitle = isXtermLike ? "\u{1B}[23;2t" : ""
        enter = Array((saveTitle + modes.map { "\u{1B}[?\($0)h" }.joined()).utf8)
        leave = Array((modes.reversed().map { "\u{1B}[?\($0)l" }.joined() + restoreTitle).utf8)
    }
}
