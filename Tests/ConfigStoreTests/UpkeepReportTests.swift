// SPDX-License-Identifier: Apache-2.0

import ConfigStore
import InMemoryLogging
import Logging
import Testing

struct UpkeepReportTests {
    @Test func aFailureIsLoggedUntilItEnds() {
        let log = InMemoryLogHandler()
        let report = UpkeepReport(of: ["pruning", "snapshot"], Logger(label: "test") { [log] _ in log })
        report.succeeded("pruning")
        for message in ["no space", "no space", "no answer"] { report.failed("pruning", StoreError(.full, message)) }
        report.failed("snapshot", StoreError(.full, "no space"))
        report.succeeded("pruning")
        report.succeeded("pruning")
        report.failed("pruning", StoreError(.full, "no answer"))
        #expect(
            log.entries.map { "\($0.level): \($0.message)" } == [
                "error: store maintenance failed (pruning): no space",
                "error: store maintenance failed (pruning): no answer",
                "error: store maintenance failed (snapshot): no space",
                "notice: store maintenance works again (pruning)",
                "error: store maintenance failed (pruning): no answer",
            ]
        )
    }
}
