// SPDX-License-Identifier: Apache-2.0

import Observation
import RemoteConfig

/// `departures OVERRIDE.json SERVER`: draws the board, and again whenever it changes.
@main
enum App {
    @MainActor static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { return print("usage: departures OVERRIDE.json SERVER") }
        let service = try Board.service(FileSource(path: arguments[1]), SourceLocator(arguments[2]).source())
        RemoteConfigSystem.bootstrap(service.state)
        async let _ = service.run()
        let screen = Screen()
        for await text in Observations({ screen.text }) { print(text) }
    }
}
