// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Files
import TerminalUI

/// Reads a secret from the terminal without showing it.
enum SecretPrompt {
    /// Prompts on standard error and reads a line without echoing it; `nil` at the end of the input.
    static func read(_ question: String) -> String? {
        // The answer can be read even if the question could not be shown.
        try? Output.error.write(question.sanitized())
        return withoutEcho(StandardInput.line) ?? readLine()
    }
}
