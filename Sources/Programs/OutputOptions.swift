// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// The form of the output: for people on a terminal and for programs elsewhere, unless an option selects another.
package struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON, with times in UTC (default if standard output is not a terminal).")
    package var json = false

    @Flag(help: "Print text, with times in local time (default on a terminal).")
    package var plain = false

    package init() {}

    package func validate() throws {
        if json, plain { throw ValidationError("--json and --plain are mutually exclusive.") }
    }

    /// Without options. Not `init()`, whose wrappers have no values before they are parsed.
    package static let standard = OutputOptions.parseOrExit([])

    package func isJSON(onTerminal isTerminal: Bool) -> Bool { json || !isTerminal && !plain }
}
