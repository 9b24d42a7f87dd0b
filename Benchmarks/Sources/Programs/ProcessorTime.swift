// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// The processor time of some work on this thread; work of other threads is not counted.
func processorTime(_ work: () throws -> Void) throws -> Duration {
    let start = try threadTime()
    try work()
    return try threadTime() - start
}

private func threadTime() throws(SystemError) -> Duration {
    var time = timespec()
    guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { throw SystemError(call: "clock_gettime") }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
