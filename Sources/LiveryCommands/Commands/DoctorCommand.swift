// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigModel
import Files
import Programs
import TerminalUI

struct DoctorCommand: LiveryCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Show the detected terminal features and how each was detected.",
        discussion: """
            Documentation/Troubleshooting.md in the source lists messages by symptom, with their causes and fixes.
            """
    )

    @Option(
        help: ArgumentHelp("Set the colour depth: auto, never, 8, 16, 256 or truecolor.", valueName: "depth"),
        completion: .list(ColorChoice.allCases.map(\.rawValue)),
        transform: ColorChoice.named
    )
    var color = ColorChoice.auto

    func execute() async throws {
        let environment = Program.environment
        let profile = TerminalProfile(choice: color, environment: environment)
        let isTerminal = Output.standard.isTerminal
        let columns = isTerminal ? Size(terminal: Output.standard.descriptor)?.columns : nil
        let report = DoctorReport(profile: profile, repertoire: .locale(), isTerminal: isTerminal, columns: columns)
        try Output.standard.write(report.text)
    }
}
