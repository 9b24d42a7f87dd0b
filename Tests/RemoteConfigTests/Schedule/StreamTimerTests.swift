// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

@testable import RemoteConfig

struct StreamTimerTests {
    private var stream = StreamTimer(RetryDelays(policy: ConnectionPolicy()) { 0.5 })

    @Test(arguments: [
        (nil, [100, 200, 400, 800, 1600, 3200, 6400, 12_800, 15_000, 15_000]),
        (ConfigError.Code.forbidden, [1, 2, 4, 8, 16, 32, 64, 128, 150, 150].map { $0 * 1000 }),
    ])
    mutating func pausesGrowToALimit(code: ConfigError.Code?, pauses: [Int]) {
        for pause in pauses {
            _ = stream.open(at: .zero)
            #expect(stream.ended(code.map { ConfigError($0, "no") }, at: .zero).opening == .milliseconds(pause))
            #expect(stream.state == .held && stream.problem != nil)
        }
    }

    @Test(arguments: [(59, 400), (60, 100), (3600, 100)])
    mutating func stableStreamForgivesFormerFailures(seconds: Int, pause: Int) {
        for lifetime in [0, 0, seconds] {
            let (start, number) = (Duration.seconds(10), stream.open(at: .seconds(10)))
            #expect(stream.opened(number, at: start) && stream.isOpen)
            let last = stream.ended(nil, at: start + .seconds(lifetime))
            if lifetime > 0 { #expect(last.attempt == .milliseconds(pause)) }
        }
        #expect(stream.count == 3 && stream.openedCount == 3)
    }

    @Test(arguments: [(Duration.zero, 100), (.seconds(2), 2100), (.seconds(3600), 30_100), (.seconds(-5), 100)])
    mutating func streamRequestsALongerPause(pause: Duration, expected: Int) {
        stream.requested(pause, by: stream.open(at: .zero))
        stream.requested(.seconds(9), by: 7)
        let end = stream.ended(nil, at: .zero)
        #expect(end.opening == .milliseconds(expected) && end.attempt == .milliseconds(100))
    }

    @Test mutating func eachSignProlongsIt() {
        let number = stream.open(at: .zero)
        #expect(stream.silenceEnd == .seconds(25))
        stream.showedLife(number, at: .seconds(9))
        stream.showedLife(number + 1, at: .seconds(99))
        #expect(stream.silenceEnd == .seconds(34) && !stream.isOpen)
        stream.rest()
        #expect(stream.silenceEnd == nil && stream.number == nil)
    }
}

struct ResyncsTests {
    @Test func pausesGrowUntilTheStreamFits() {
        var resyncs = Resyncs(RetryDelays(policy: ConnectionPolicy()) { 0.5 })
        var pauses: [Duration] = []
        for _ in 0..<12 {
            pauses.append(resyncs.begin())
            resyncs.note(at: .zero)
        }
        let milliseconds = [0, 100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]
        #expect(pauses == milliseconds.map { .milliseconds($0) })
        #expect(resyncs.isUnsettled && resyncs.end == .seconds(60))
        resyncs.forget(at: .seconds(59))
        #expect(resyncs.isUnsettled)
        resyncs.forget(at: .seconds(60))
        #expect(!resyncs.isUnsettled && resyncs.end == nil && resyncs.total == 12)
    }
}
