// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TerminalUI

/// The colours of the picker's grid: greys, and twelve hues in three lightnesses.
enum ColorGrid {
    static let columns = 12
    static let colors: [RGBColor] =
        (0..<columns).map { HSLColor(hue: 0, saturation: 0, lightness: Double($0) / 11).rgb }
        + [0.3, 0.5, 0.8].flatMap { lightness in
            (0..<columns).map { HSLColor(hue: Double($0) * 30, saturation: 1, lightness: lightness).rgb }
        }
}
