// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import RemoteConfigTesting
import Testing

@testable import RemoteConfig

/// The connection to a source that is watched; `ConnectionScheduleTests` has any other.
struct ConnectionTests {
    private let clock = TestClock()
    private let source = FakeSource()
    private var status = SourceStatus(source: "fake")
    private let failure = ConfigError(.unreachable, "gone")

    private var settings: ServiceSettings { ServiceSettings(clock: clock) }

    @Test mutating func sourceThatCannotBeFollowedIsTriedAgain() {
        var connection = Connection(to: source, settings)
        connection.showReading(in: &status, besides: nil)
        #expect(status.phase == .polling, "nothing follows it yet")
        connection.begin()
        #expect(connection.deadline == nil)
        #expect(connection.followEnded(FollowEnd(followError: failure), at: .zero)?.source == "fake")
        let due = connection.deadline
        #expect(due == .milliseconds(100) && !connection.followsAgain(at: .zero))
        #expect(connection.followsAgain(at: .milliseconds(100)))
        connection.showReading(in: &status, besides: nil)
        #expect(
            status.phase == .polling && status.problem?.code == .unreachable,
            "reading does not show that it is followed"
        )
        #expect(status.nextAttemptAt?.milliseconds == clock.date.milliseconds + 100)
        connection.followed()
        connection.showReading(in: &status, besides: nil)
        #expect(status.phase == .streaming && status.problem == nil && status.nextAttemptAt == nil)
    }

    @Test func pausesGrowUntilFollowingLasts() {
        var connection = Connection(to: source, settings)
        var pauses: [Duration?] = []
        for hasLasted in [false, false, false, true] {
            _ = connection.followEnded(FollowEnd(followError: failure, hasLasted: hasLasted), at: .zero)
            pauses.append(connection.deadline)
            connection.followed()
        }
        #expect(pauses == [100, 200, 400, 100].map { .milliseconds($0) })
    }

    @Test mutating func offlineHidesProblemsOfTheSource() {
        var connection = Connection(to: source, settings)
        _ = connection.followEnded(FollowEnd(followError: failure), at: .zero)
        status.problem = failure
        let isNew = [connection.setOffline(true), connection.setOffline(true)]
        #expect(isNew == [true, false])
        connection.show(in: &status, besides: nil, true)
        #expect(status.phase == .offline && status.isSetOffline && status.problem == nil)
        #expect(connection.deadline == nil && connection.offlineCount == 1)
        _ = connection.setOffline(false)
        connection.show(in: &status, besides: nil, true)
        #expect(status.phase == .polling && !status.isSetOffline && connection.offlineCount == 1)
    }

    @Test mutating func polledSourceShowsScheduleAndProblem() {
        var polled = ScriptedSource()
        polled.delivery = .polled(every: .seconds(30))
        var connection = Connection(to: polled, settings)
        #expect(connection.schedule.handle(.started, at: .zero) == [.read])
        #expect(connection.schedule.handle(.readSucceeded(), at: .zero) == [])
        connection.show(in: &status, besides: failure, true)
        #expect(status.phase == .polling && status.problem == failure)
        #expect(status.nextAttemptAt != nil && connection.deadline == connection.schedule.deadline)
    }
}
