// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig
import RemoteConfigTesting
import Testing

@testable import Menu

/// The menu over a source that the test drives: no server, no file, no waiting.
@Suite(.timeLimit(.minutes(1)))
struct MenuTests {
    private let source = TestSource(["menu.title": "Lunch", "menu.dishes": ["Pie"]])

    @Test func withoutTheKitchenTheDefaultsStandOnTheBoard() async throws {
        await source.goOffline()
        let menu = try Menu(source: source)
        #expect(menu.lines == ["Today #FFFFFF", "- Soup"])
        await menu.service.running {
            #expect(menu.lines == ["Today #FFFFFF", "- Soup", "(unreachable)"])
            await source.goOnline()
            #expect(await menu.nextGuest() == ["menu.dishes", "menu.title"])
            #expect(menu.lines == ["Lunch #FFFFFF", "- Pie"])
        }
    }

    @Test func aNewMenuWaitsForTheNextGuest() async throws {
        let menu = try Menu(source: source)
        await menu.service.running {
            _ = await menu.nextGuest()
            await source.publish(["menu.dishes": ["Pie", "Tea"], "menu.color": "#87CEFA", "menu.hint": "Try the tea"])
            #expect(menu.lines == ["Lunch #FFFFFF", "- Pie"])
            #expect(menu.service.state.current.status.hasStagedChanges)
            #expect(await menu.nextGuest() == ["menu.color", "menu.dishes", "menu.hint"])
            #expect(menu.lines == ["Lunch #87CEFA", "- Pie", "- Tea", "Try the tea"])
            #expect(await menu.nextGuest() == [])
        }
    }

    @Test func aRefusalStandsOnTheBoardAndTheMenuStays() async throws {
        let menu = try Menu(source: source)
        await menu.service.running {
            _ = await menu.nextGuest()
            await source.fail(ConfigError(.unauthorized, "the token is not known"))
            #expect(menu.lines == ["Lunch #FFFFFF", "- Pie", "(unauthorized)"])
        }
    }
}
