// SPDX-License-Identifier: Apache-2.0

import RemoteConfig
import RemoteConfigTesting
import Testing

@testable import Departures

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct BoardTests {
    private let override = TestSource()
    private let server = TestSource()

    @Test func eachMemberComesFromTheFirstLayerThatHasIt() async {
        await server.publish(["board.title": "Arrivals", "board.color": "#87CEFA"])
        await override.publish(["board.title": "Night trains"])
        #expect(await texts().contains("Night trains #87CEFA"))
    }

    @Test func valueOfAnotherTypeIsReported() async {
        await server.publish(["board.title": 3, "board.color": "#87CEFA"])
        let text = "Departures #87CEFA\n✖ test: board.title: expected a string, found a number"
        #expect(await texts().contains(text))
    }

    @Test func changeIsDrawn() async {
        let texts = texts()
        #expect(await texts.contains("Departures #FFB6C1"))
        await server.publish(["board.trains": [["time": "12:40", "destination": "Tarifa"]]])
        #expect(await texts.contains("Departures #FFB6C1\n12:40  Tarifa"))
    }

    /// The texts that are drawn, until the sequence is released.
    private func texts() -> AsyncStream<String> {
        AsyncStream { texts in
            let following = Task { try await follow([override, server]) { texts.yield($0) } }
            texts.onTermination = { _ in following.cancel() }
        }
    }
}
