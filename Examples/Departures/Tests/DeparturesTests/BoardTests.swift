// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Observation
import RemoteConfig
import RemoteConfigTesting
import Testing

@testable import Departures

@Suite(.timeLimit(.minutes(1)))
struct BoardTests {
    private let trains: EntryValue = [["time": "12:40", "destination": "Tarifa"]]

    @Test func emptyConfigurationHasTheDefaults() {
        withConfig([:]) { #expect(Screen().text == "Departures #FFB6C1") }
    }

    @Test func valueOfAnotherTypeIsReported() {
        withConfig(["board": ["title": 1, "color": "#000000", "trains": trains]]) {
            #expect(Screen().text.hasPrefix("Departures #FFB6C1\n! "))
        }
    }

    @MainActor
    @Test func eachMemberComesFromTheFirstLayerThatHasIt() async throws {
        let (file, server) = (TestSource(), TestSource(["board": ["trains": trains]]))
        let service = try Board.service(file, server)
        let screen = Screen(of: service.state)
        let texts = Observations { screen.text }
        #expect(screen.text == "Departures #FFB6C1")
        await service.running {
            #expect(await texts.contains("Departures #FFB6C1\n12:40 Tarifa"))
            await file.publish(["board": ["title": "Platform 1"]])
            #expect(await texts.contains("Platform 1 #FFB6C1\n12:40 Tarifa"))
            await server.goOffline()
            await file.remove("board")
            #expect(await texts.contains("Departures #FFB6C1\n12:40 Tarifa"))
        }
    }
}
