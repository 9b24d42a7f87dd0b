// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Duration {
    /// The processor time of this thread, which other processes do not lengthen.
    package static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
