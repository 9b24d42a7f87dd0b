// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
package import TerminalUI

extension ColorChoice {
    /// The choice that the option `--color` names.
    ///
    /// - Throws: a `ValidationError` for an unknown name.
    package static func named(_ name: String) throws -> ColorChoice {
        guard let choice = ColorChoice(rawValue: name) else {
            throw ValidationError("Expected auto, never, 8, 16, 256 or truecolor.")
        }
        return choice
    }
}
