// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

@testable import RemoteConfig

struct ReadTimerTests {
    private func timer(_ policy: ConnectionPolicy = ConnectionPolicy()) -> ReadTimer {
        ReadTimer(every: .seconds(30), isOnly: true, RetryDelays(policy: policy) { 0.5 })
    }

    @Test func requestWaitsASecondAfterTheLast() {
        var reads = timer()
        reads.request(at: .zero)
        #expect(reads.due == .zero)
        reads.begin()
        reads.request(at: .zero)
        #expect(reads.due == nil && !reads.isRequested, "the read in flight answers it")
        #expect(reads.succeeded(nextAfter: nil, at: .zero) == false)
        reads.request(at: .milliseconds(10))
        #expect(reads.due == .seconds(1))
        reads.dropRequest()
        #expect(reads.due == nil)
    }

    @Test func recentReadAnswersRequests() {
        var reads = timer(ConnectionPolicy(minimumFetchInterval: .seconds(3600)))
        #expect(!reads.isFresh(at: .zero))
        reads.begin()
        #expect(reads.failed(ConfigError(.unreachable, "gone")) != nil)
        #expect(!reads.isFresh(at: .zero), "a failure is no answer")
        reads.begin()
        _ = reads.succeeded(nextAfter: nil, at: .zero)
        #expect(reads.isFresh(at: .seconds(3599)) && !reads.isFresh(at: .seconds(3600)))
        var usual = timer()
        usual.begin()
        _ = usual.succeeded(nextAfter: nil, at: .zero)
        #expect(!usual.isFresh(at: .zero), "by default requests wait")
    }

    @Test(
        arguments: [
            (nil, nil, 33.0), (nil, 60, 66), (.seconds(100), nil, 110), (.seconds(100), 60, 110),
            (.seconds(10), 60, 66), (.seconds(10), nil, 11),
        ] as [(Duration?, Int?, Double)]
    )
    func theLongerIntervalCounts(set: Duration?, fresh: Int?, expected: Double) {
        var reads = timer(ConnectionPolicy(pollingInterval: set))
        reads.begin()
        _ = reads.succeeded(nextAfter: fresh.map { .seconds($0) }, at: .zero)
        reads.poll(from: .zero)
        #expect(reads.due == .seconds(expected))
        var wrong = ConfigError(.syntax, "no JSON")
        wrong.freshFor = fresh.map { .seconds($0) }
        reads.begin()
        #expect(reads.failed(wrong) == .seconds(expected), "a bad document as well")
    }

    @Test func aReadNeededDuringAnotherIsReportedAtItsEnd() {
        var reads = timer()
        #expect(reads.needAgain() == false)
        reads.begin()
        #expect(reads.needAgain() == true)
        #expect(reads.succeeded(nextAfter: nil, at: .zero) == true)
        #expect(reads.succeeded(nextAfter: nil, at: .zero) == nil && reads.cancelled() == nil, "none is in flight")
    }
}
