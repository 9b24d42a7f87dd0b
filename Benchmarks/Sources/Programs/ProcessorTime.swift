// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// The processor time of some work on this thread; work of other threads is not counted.
func processorTime(_ work: () throws -> Void) throws -> Duration {
    let start = Duration.processorTime
    try work()
    return .processorTime - start
}
