// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

@testable import RemoteConfig

/// The pauses between attempts, and what shortens or lengthens them.
struct ConnectionPauseTests {
    private static let unreachable = ConfigError(.unreachable, "nobody answers")

    @Test(arguments: [true, false]) func onlyASleepEndsARetryAfter(isSleep: Bool) {
        var busy = ConfigError(.unavailable, "busy")
        busy.retryAfter = .seconds(600)
        var play = ConnectionPlay.live()
        play.happens(.readNeeded)
        play.happens(.readFailed(busy))
        if isSleep {
            #expect(play.happens(.timePassed, after: .seconds(100)) == [.closeStream(1), .read, .openStream(2)])
        } else {
            #expect(play.happens(.wentOffline) == [.closeStream(1)])
            #expect(play.happens(.cameOnline, after: .seconds(1)) == [])
        }
        #expect((play.connection.retryAfterError(at: play.now) == nil) == isSleep)
    }

    @Test func askingResetsTheBackoff() throws {
        var play = ConnectionPlay()
        play.happens(.started)
        play.happens(.streamEnded(1, Self.unreachable))
        for _ in 0..<10 {
            play.happens(.readFailed(Self.unreachable))
            #expect(play.untilDeadline() == [.read])
        }
        play.happens(.readFailed(Self.unreachable))
        #expect(play.happens(.asked) == [.read])
        play.happens(.readFailed(Self.unreachable))
        #expect(try #require(play.connection.nextAttempt) == play.now + .milliseconds(100))
    }

    @Test func pendingRefreshesAreNotReadAfterTheEnd() {
        var play = ConnectionPlay.live()
        play.happens(.asked)
        play.happens(.readSucceeded())
        #expect(play.happens(.asked) == [])
        #expect(play.connection.reads.isRequested)
        #expect(play.happens(.stopped) == [.closeStream(1)])
        #expect(!play.connection.reads.isRequested)
        #expect(play.connection.deadline == nil)
        #expect(play.happens(.asked, after: .seconds(2)) == [.read], "whoever asks now does not know of the end")
    }

    @Test func aReadThatFailsOnALiveStreamIsTriedAgainWithPauses() {
        var play = ConnectionPlay.live()
        play.happens(.readNeeded)
        play.happens(.readFailed(ConfigError(.damaged, "wrong digest")))
        #expect(play.connection.phase == .polling && play.connection.hasFailed)
        #expect(play.happens(.readNeeded) == [], "not before its time")
        #expect(play.connection.deadline == play.now + .milliseconds(100))
        #expect(play.untilDeadline() == [.read])
        play.happens(.readSucceeded())
        #expect(play.connection.phase == .streaming && !play.connection.hasFailed)
    }
}
