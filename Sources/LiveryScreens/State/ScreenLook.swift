// SPDX-License-Identifier: Apache-2.0

import Programs
import TerminalUI

/// How screens are shown: the terminal's abilities, and the user's preferences.
struct ScreenLook: Sendable {
    var colors: ColorMatcher
    var repertoire = GlyphRepertoire.unicode
    var clock = ClockFormat.local
    var keys = UserKeys.none
    /// Whether fades are enabled.
    var hasMotion = true

    var hasColors: Bool { colors.depth != .monochrome }
    /// Whether the background can fade.
    var canFade: Bool { hasMotion && colors.depth == .direct }
}
