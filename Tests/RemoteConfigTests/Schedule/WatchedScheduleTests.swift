// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

@testable import RemoteConfig

/// The schedule of a source that is watched: it is followed again and again, and read by its hints.
struct WatchedScheduleTests {
    private var play = ConnectionPlay(.watched)
    private let gone = ConfigError(.unreachable, "gone")

    @Test mutating func hintsAreFollowedUntilTheEnd() {
        #expect(play.happens(.readSucceeded()) == [])
        #expect(play.connection.phase == .polling, "nothing follows it yet")
        #expect(play.happens(.started) == [.openStream(1)])
        #expect(play.connection.phase == .polling, "it is to be read since then")
        play.happens(.readSucceeded())
        #expect(play.connection.phase == .streaming && play.connection.deadline == nil, "a file may be silent")
        #expect(play.happens(.networkChanged) == [] && play.connection.stream.openedCount == 0)
        #expect(play.happens(.contextChanged()) == [.closeStream(1), .openStream(2)])
        #expect(play.connection.phase == .starting)
        play.happens(.readSucceeded())
        #expect(play.happens(.contextChanged(keepsStream: true)) == [] && play.connection.phase == .starting)
        #expect(play.happens(.stopped) == [.closeStream(2)])
        #expect(play.happens(.streamEnded(2, gone)) == [] && play.connection.phase == .stopped)
        #expect(play.happens(.resumed) == [.openStream(3)], "it hints when it is to be read")
    }

    @Test mutating func sourceThatCannotBeFollowedIsTriedAgain() {
        play.happens(.started)
        play.happens(.streamEnded(1, gone))
        #expect(play.connection.phase == .offline && play.connection.hasFailed)
        #expect(play.connection.nextAttempt == .milliseconds(100))
        play.happens(.readSucceeded())
        #expect(play.connection.phase == .polling && play.connection.problem == gone, "a read is not a watch")
        #expect(play.untilDeadline() == [.openStream(2)])
        #expect(play.connection.problem == gone, "until it is read")
        play.happens(.readSucceeded())
        #expect(play.connection.phase == .streaming && play.connection.problem == nil)
        play.happens(.streamEnded(2, gone))
        #expect(play.happens(.networkChanged) == [.openStream(3)], "at once")
    }

    @Test mutating func pausesGrowUntilFollowingLasts() {
        play.happens(.started)
        var pauses: [Duration] = []
        for lifetime in [0, 0, 0, 60] {
            play.happens(.streamEnded(play.openNumber, gone), after: .seconds(lifetime))
            pauses.append((play.connection.deadline ?? .zero) - play.now)
            play.untilDeadline()
        }
        #expect(pauses == [100, 200, 400, 100].map { .milliseconds($0) })
    }

    @Test mutating func sourceWithoutHintsIsFollowedUntilItIsRead() {
        play.happens(.started)
        play.happens(.unreadStreamEnded(1, gone))
        #expect(play.connection.phase == .offline && play.connection.nextAttempt == .milliseconds(100))
        play.happens(.readSucceeded())
        #expect(play.connection.phase == .streaming && play.connection.deadline == nil, "it has nothing to report")
        play.happens(.stopped)
        #expect(play.happens(.started) == [.openStream(2)])
        play.happens(.streamEnded(2, nil))
        #expect(play.connection.phase == .streaming && play.connection.deadline == nil)
    }

    @Test mutating func errorOfItsContentsLeavesItLive() {
        play.happens(.started)
        play.happens(.readFailed(ConfigError(.syntax, "broken")))
        #expect(play.connection.phase == .streaming && play.connection.hasFailed)
        #expect(play.connection.problem?.code == .syntax && play.connection.deadline == nil)
    }

    @Test mutating func offlineHidesProblemsOfTheSource() {
        play.happens(.started)
        play.happens(.readSucceeded())
        play.happens(.streamEnded(1, gone))
        #expect(play.happens(.wentOffline) == [] && play.connection.deadline == nil)
        #expect(play.connection.phase == .offline && play.connection.problem == nil)
        #expect(play.happens(.cameOnline) == [.openStream(2)])
        #expect(play.connection.phase == .polling && play.connection.problem == nil)
    }
}
