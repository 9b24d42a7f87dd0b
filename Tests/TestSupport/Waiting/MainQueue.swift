// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Waits until what was put into the main queue before has been done.
@MainActor
package func mainQueueIsEmpty() async {
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
}
