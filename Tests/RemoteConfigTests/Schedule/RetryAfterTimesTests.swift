// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

@testable import RemoteConfig

struct RetryAfterTimesTests {
    private var quiet = RetryAfterTimes(RetryDelays(policy: ConnectionPolicy()) { 1 })

    private func error(_ code: ConfigError.Code, retryAfter seconds: Int?) -> ConfigError {
        var error = ConfigError(code, "no")
        error.retryAfter = seconds.map { .seconds($0) }
        return error
    }

    @Test(arguments: [(ConfigError.Code.unauthorized, 330), (.forbidden, 330), (.unavailable, 3630)])
    mutating func refusalCountsForFiveMinutesAtMost(code: ConfigError.Code, seconds: Int) {
        let error = error(code, retryAfter: 3600)
        #expect(quiet.readFailed(error, at: .zero) == true)
        #expect(quiet.read(dueAt: .zero) == .seconds(seconds) && quiet.opening(dueAt: .zero) == .seconds(seconds))
        #expect(quiet.error(at: .seconds(seconds - 1)) == error && quiet.error(at: .seconds(seconds)) == nil)
    }

    @Test mutating func streamsDoNotDelayReads() {
        quiet.streamFailed(error(.unavailable, retryAfter: 120), at: .zero)
        #expect(quiet.opening(dueAt: .zero) == .seconds(150) && quiet.read(dueAt: .zero) == .zero)
        #expect(quiet.error(at: .zero) == nil)
    }

    @Test mutating func earlierEndShortensNothing() {
        #expect(quiet.readFailed(error(.unavailable, retryAfter: 600), at: .zero) == true)
        #expect(quiet.readFailed(error(.unavailable, retryAfter: 10), at: .zero) == false)
        #expect(quiet.readFailed(error(.unavailable, retryAfter: nil), at: .zero) == false)
        #expect(quiet.read(dueAt: .zero) == .seconds(630) && quiet.read(dueAt: .seconds(700)) == .seconds(700))
        quiet.end()
        #expect(quiet.read(dueAt: .zero) == .zero)
    }
}
