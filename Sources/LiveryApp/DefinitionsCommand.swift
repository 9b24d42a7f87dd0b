// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigModel
import Files
import LiveryCommands
import LiveryScreens
import RemoteConfig

struct DefinitionsCommand: LiveryCommand {
    static let configuration = CommandConfiguration(
        commandName: "definitions",
        abstract: "Print what the screen expects of its source, as JSON Schemas.",
        discussion: """
            For each key that the screen reads, the document says the type, the limits, the default and what the value \
            is for. It is made from the definitions in livery's code, as any program can make one of its own, and is \
            the same whenever they are: keep it beside the code, and its changes are easy to review.

            EXAMPLES
              livery definitions > definitions.json
              livery schema check definitions.json
            """
    )

    func execute() async throws {
        let config = DemoConfig(state: ConfigState(source: "none"))
        try Output.standard.write(try config.exported())
    }
}
