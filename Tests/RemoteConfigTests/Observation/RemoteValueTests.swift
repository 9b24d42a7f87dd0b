// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Observation
import RemoteConfigTesting
import TestSupport
import Testing

@testable import RemoteConfig

/// Properties over a service on a source that the test drives.
@Suite(.timeLimit(.minutes(5)))
@MainActor
struct RemoteValueTests {
    private let source = TestSource(["color": "#FFB6C1", "limit": 3])
    private let service: RemoteConfigService

    private struct Screen {
        @RemoteValue var color: RGBColor
        @RemoteValue var limit: Int
        @RemoteValue var hint: String?

        init(_ state: ConfigState) {
            _color = RemoteValue(wrappedValue: RGBColor(0), "color", in: state)
            _limit = RemoteValue(wrappedValue: 1, "limit", in: state)
            _hint = RemoteValue("hint", in: state)
        }
    }

    init() { service = RemoteConfigService(source: source) }

    @Test func propertyIsDefaultThenCurrentValue() async {
        let screen = Screen(service.state)
        #expect(screen.color == RGBColor(0))
        #expect(screen.$color.isDefault)
        #expect(screen.$color.problem == nil)
        await service.running {
            #expect(screen.color == RGBColor(0xFFB6C1))
            #expect(!screen.$color.isDefault)
            await source.publish(["color": "#87CEFA"])
            #expect(screen.color == RGBColor(0x87CEFA))
            await source.publish(["color": "pink"])
            #expect(screen.color == RGBColor(0) && screen.$color.problem?.code == .typeMismatch)
            await source.remove("color")
            #expect(screen.color == RGBColor(0))
        }
    }

    /// Records the next change of what a closure reads.
    private func track(_ name: String, in told: Log<String>, _ read: () -> Void) {
        withObservationTracking {
            read()
        } onChange: {
            told.append(name)
        }
    }

    @Test func onlyReadersOfTheKeyAreNotified() async {
        let (screen, told) = (Screen(service.state), Log<String>())
        await service.running {
            track("color", in: told) { _ = screen.color }
            track("limit", in: told) { _ = screen.limit }
            await source.publish(["limit": 4, "other": 1])
            await mainQueueIsEmpty()
            #expect(told.entries == ["limit"])
            await source.publish(["color": "#87CEFA"])
            await mainQueueIsEmpty()
            #expect(told.entries == ["limit", "color"])
            await source.publish(["color": "#000000"])
            await mainQueueIsEmpty()
            #expect(told.entries == ["limit", "color"], "it is told once for each time that it is tracked")
        }
    }

    @Test func aKeyThatComesAndGoesIsAChange() async {
        let (screen, told) = (Screen(service.state), Log<String>())
        await service.running {
            track("comes", in: told) { _ = screen.hint }
            await source.publish(["hint": "press F1"])
            await mainQueueIsEmpty()
            track("goes", in: told) { _ = screen.$hint.isDefault }
            await source.remove("hint")
            await mainQueueIsEmpty()
            #expect(told.entries == ["comes", "goes"])
        }
    }

    /// Observation tracks what a closure has read once the closure has ended.
    @Test func changeDuringTrackingIsNotMissed() async throws {
        let state = try ConfigState.holding(#"{"limit": 3}"#)
        let (screen, told) = (Screen(state), Log<Int>())
        withObservationTracking {
            #expect(screen.limit == 3)
            try? state.take(#"{"limit": 4}"#)
        } onChange: {
            told.append(screen.limit)
        }
        await mainQueueIsEmpty()
        #expect(told.entries == [4])
    }

    /// The one test that sets the program's configuration, of which there is one.
    @Test func propertyUsesTheProgramsConfiguration() async throws {
        struct Banner {
            @RemoteValue("limit") var limit = 7
        }
        let (banner, told) = (Banner(), Log<String>())
        #expect(banner.limit == 7)
        #expect(banner.$limit.problem?.code == .notFound)
        track("bootstrapped", in: told) { _ = banner.limit }
        defer { RemoteConfigSystem.reset() }
        #expect(service.state.bootstrap())
        let other = ConfigState(preview: ["limit": 9])
        #expect(!other.bootstrap(), "it is set once")
        #expect(other.problems.map(\.code) == [.conflict])
        await mainQueueIsEmpty()
        #expect(told.entries == ["bootstrapped"])
        await service.running {
            #expect(banner.limit == 3)
            #expect(banner.$limit.problem == nil)
        }
    }
}

/// A state as Swift's Observation sees it.
@Suite(.timeLimit(.minutes(5)))
@MainActor
struct ObservableConfigTests {
    private let source = TestSource(["limit": 3])

    @Test func theStatusIsObservedToo() async {
        let service = RemoteConfigService(source: source)
        let (config, told) = (ObservableConfig(service.state), Log<SourceStatus.Phase>())
        await service.running {
            withObservationTracking {
                _ = config.status
            } onChange: {
                told.append(config.status.phase)
            }
            await source.goOffline()
            await mainQueueIsEmpty()
            #expect(told.entries == [.offline])
        }
    }

    @Test func anObjectThatIsSpreadOverKeysIsObserved() async {
        let service = RemoteConfigService(source: source)
        let (config, sizes) = (ObservableConfig(service.state), Log<Int>())
        await service.running {
            await source.publish(["theme": ["size": 1]])
            withObservationTracking {
                #expect(config.value(forKey: "theme", default: [String: Int]()) == ["size": 1])
            } onChange: {
                sizes.append(config.value(forKey: "theme.size", default: 0))
            }
            await source.publish(["limit": 4])
            await mainQueueIsEmpty()
            await source.publish(["theme": ["size": 2]])
            await mainQueueIsEmpty()
            #expect(sizes.entries == [2])
        }
    }
}
