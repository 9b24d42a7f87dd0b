// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// A screen of a few cells after some bytes.
func screen(
    _ input: String,
    columns: Int = 10,
    rows: Int = 3,
    configuration: VirtualScreen.Configuration = .xterm
) -> VirtualScreen {
    var screen = VirtualScreen(columns: columns, rows: rows, configuration: configuration)
    screen.feed(input)
    return screen
}

extension VirtualScreen {
    /// The lines with dots for spaces, so that a test shows all of them: `ab........`.
    var dotted: [String] {
        (0..<rows).map { row in cells(row: row).map { $0.text == " " ? "." : $0.text }.joined() }
    }
}
