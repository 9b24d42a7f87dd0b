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
        abstract: "Print the definitions of the screen's keys as JSON Schemas.",
        discussion: """
            The document contains the type, the limits, the default and a description of each key that the screen \
            reads. It is generated from the definitions in the code of livery, as in any program with definitions. The \
            output is stable: commit it next to the code to review its changes.

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
