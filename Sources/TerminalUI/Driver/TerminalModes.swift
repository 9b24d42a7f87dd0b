/// What is switched on in the terminal while the program has it, beyond what curses sees to.
struct TerminalModes {
    /// Switches on.
    let enter: [UInt8]
    /// Switches off, in the opposite order.
    let leave: [UInt8]

    /// - Parameter hasMouse: whether the terminal knows xterm's mouse reports.
    init(hasMouse: Bool) {
        // Presses and releases (1000), in decimal (1006), so that they reach beyond column 223.
        let modes = hasMouse ? [1000, 1006] : []
        enter = modes.flatMap { Array("\u{1B}[?\($0)h".utf8) }
        leave = modes.reversed().flatMap { Array("\u{1B}[?\($0)l".utf8) }
    }
}
