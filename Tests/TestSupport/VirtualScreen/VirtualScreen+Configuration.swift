// SPDX-License-Identifier: Apache-2.0

extension VirtualScreen {
    /// The kind of a terminal.
    package struct Configuration: Sendable {
        /// Whether erased cells take the current background (`bce`), as in xterm; in screen they do not.
        package var erasesWithBackground = true
        /// The C0 control bytes that a program may send. ESC always is one of them; NUL is padding for slow terminals.
        package var allowedControls: Set<UInt8> = [0x07, 0x08, 0x09, 0x0A, 0x0D, 0x0F]
        /// The widths of characters in columns.
        package var widths = GlyphWidths.scalars
        /// The terminal's answers to queries.
        package var answers = Answers()

        package init(
            erasesWithBackground: Bool = true,
            allowedControls: Set<UInt8> = [0x07, 0x08, 0x09, 0x0A, 0x0D, 0x0F],
            widths: GlyphWidths = .scalars,
            answers: Answers = Answers()
        ) {
            (self.erasesWithBackground, self.allowedControls) = (erasesWithBackground, allowedControls)
            (self.widths, self.answers) = (widths, answers)
        }

        /// The terminal that programs expect which find this name in `TERM`. It answers nothing.
        ///
        /// - Parameter name: For example `xterm-256color`, `linux`, `screen` or `vt100`.
        package static func terminal(named name: String) -> Configuration {
            if name.hasPrefix("screen") || name.hasPrefix("tmux") { return .screen }
            guard name.hasPrefix("vt") else { return .xterm }
            // Slow terminals are given time by padding.
            return Configuration(
                erasesWithBackground: false,
                allowedControls: Configuration().allowedControls.union([0x00])
            )
        }

        /// A terminal with `bce`: xterm, rxvt, the Linux console. It answers nothing.
        package static let xterm = Configuration()

        /// A terminal without `bce`, by the terminfo of screen and tmux. It answers nothing.
        package static let screen = Configuration(erasesWithBackground: false)
    }

    /// A terminal's answers to queries. `nil` and absent ones stay unanswered.
    package struct Answers: Sendable {
        /// The answer to DA1 (`CSI c`) between `CSI` and `c`, such as `?62;22`.
        package var deviceAttributes: String?
        /// Whether DSR (`CSI 5 n`, `CSI 6 n`) is answered, the latter with where the cursor is.
        package var reportsStatus: Bool
        /// The private modes that the terminal knows, for DECRQM (`CSI ? Ps $ p`). For another one the answer is that
        /// it is unknown; if this is `nil`, there is no answer at all.
        package var knownModes: Set<Int>?
        /// Whether the flags of kitty's keyboard protocol (`CSI ? u`) are answered.
        package var hasKeyboardProtocol: Bool
        /// The colours of the palette, `0xRRGGBB` by number, for OSC 4.
        package var palette: [Int: UInt32]
        /// The terminal's own background, for OSC 11.
        package var background: UInt32?

        /// A terminal that answers what is given here and nothing else.
        package init(
            deviceAttributes: String? = nil,
            reportsStatus: Bool = false,
            knownModes: Set<Int>? = nil,
            hasKeyboardProtocol: Bool = false,
            palette: [Int: UInt32] = [:],
            background: UInt32? = nil
        ) {
            (self.deviceAttributes, self.reportsStatus, self.knownModes) = (deviceAttributes, reportsStatus, knownModes)
            self.hasKeyboardProtocol = hasKeyboardProtocol
            (self.palette, self.background) = (palette, background)
        }
    }

    /// The numbers of the private modes (DECSET) that tests ask for by name.
    package enum Mode {
        package static let applicationCursorKeys = 1
        package static let autowrap = 7
        package static let visibleCursor = 25
        package static let synchronizedOutput = 2026

        /// The modes that terminals of today know and that change nothing in what this one shows.
        static let known: Set<Int> = [
            1, 4, 5, 7, 8, 12, 25, 66, 1000, 1002, 1003, 1004, 1005, 1006, 1007, 1015, 1016, 1034, 1036, 1039,
            2004, 2026, 2027, 2031, 2048,
        ]
    }
}
