// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RemoteConfig

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
