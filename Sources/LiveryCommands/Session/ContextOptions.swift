// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import ConfigChanges
import ConfigModel
package import ConfigRules
import Programs

/// The evaluation context: `--context user=42 --context language=es`.
package struct ContextOptions: ParsableArguments {
    @Option(
        name: .customLong("context"),
        help: ArgumentHelp(
            """
            Evaluate rules for this user: user=42 sets the targeting key, any other name an attribute, name:=value a \
            JSON attribute; repeatable.
            """,
            valueName: "name=value"
        )
    )
    package var given: [String] = []

    package init() {}

    package func validate() throws { _ = try context }

    /// The context; `nil` if none was given.
    package var context: EvaluationContext? {
        get throws(ValidationError) {
            if given.isEmpty { return nil }
            for word in given { try Program.checkIsText(word, "--context") }
            do throws(ConfigError) {
                return try EvaluationContext(words: given)
            } catch {
                let name = error.key.map { " \($0):" } ?? ":"
                throw ValidationError("--context\(name) \(error.message).")
            }
        }
    }
}
