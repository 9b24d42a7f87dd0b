// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import Files
import TerminalUI

extension OperatorSession {
    /// Reports on standard error how a text was read without `--type`, if the value differs from it.
    func note(on text: String, readAs value: EntryValue, for name: String) {
        warn(ValueKind.note(on: text, readAs: value).map { "\(name) = \($0)" })
    }

    /// Prints a warning, or a note, on standard error.
    func warn(_ warning: String?) {
        if let warning { Output.error.writeLine(warning.sanitized()) }
    }
}
