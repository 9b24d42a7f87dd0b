// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Waits until a condition holds, for 100 s at most, without holding a thread.
///
/// - Throws: ``DeadlineExceeded``, `CancellationError`, or what the condition throws.
package func until(
    _ expectation: String = "a condition",
    lastState: @autoclosure () -> String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ condition: () async throws -> Bool
) async throws {
    try await eventually(
        expectation,
        lastState: lastState(),
        deadline: .seconds(100),
        fileID: fileID,
        line: line,
        condition
    )
}

/// The records of a test's threads, in order.
package final class Log<Entry: Sendable>: Sendable {
    private let storage = Mutex<[Entry]>([])

    package init() {}

    package var entries: [Entry] { storage.withLock(\.self) }

    package func append(_ entry: Entry) { storage.withLock { $0.append(entry) } }
}
