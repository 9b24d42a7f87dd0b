// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The process that runs at present, where one is started after the other.
final class LockedCommand: Sendable {
    private let storage = Mutex<RunningCommand?>(nil)

    /// The process; `nil` if none was ever started.
    var current: RunningCommand? { storage.withLock { $0 } }

    /// Stores a process; the previous one is released, and so killed.
    func replace(with command: RunningCommand) {
        storage.withLock { $0 = command }
    }
}
