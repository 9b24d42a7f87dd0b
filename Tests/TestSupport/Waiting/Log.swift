// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The records of a test's threads, in order.
package final class Log<Entry: Sendable>: Sendable {
    private let storage = Mutex<[Entry]>([])

    package init() {}

    package var entries: [Entry] { storage.withLock(\.self) }

    package func append(_ entry: Entry) { storage.withLock { $0.append(entry) } }
}
