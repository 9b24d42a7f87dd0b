// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Waits until a condition holds, by looking again every few milliseconds.
///
/// For what cannot be waited on directly: a file that appears, a counter in another process. The condition is looked
/// at once before the first wait and once more after the deadline.
///
/// - Parameters:
///   - expectation: What is waited for, to follow "waited in vain for".
///   - deadline: When to give up.
///   - lastState: Told in the failure's message: what the world looks like instead.
///   - fileID: The file of the caller.
///   - line: The line of the caller.
///   - condition: What must come true.
/// - Throws: ``DeadlineExceeded``, or what the condition throws.
package func eventually(
    _ expectation: String = "a condition",
    deadline: Duration = .patience,
    lastState: @autoclosure () -> String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ condition: () throws -> Bool
) throws {
    var attempts = Attempts(deadline)
    while true {
        if try condition() { return }
        guard let pause = attempts.nextPause() else { break }
        _ = poll(nil, 0, pause)
    }
    let place = "\(fileID):\(line)"
    throw DeadlineExceeded(expectation: expectation, deadline: deadline, lastState: lastState(), place: place)
}

/// Waits until an asynchronous condition holds, by looking again every few milliseconds, without blocking a thread.
///
/// - Parameters:
///   - expectation: What is waited for, to follow "waited in vain for".
///   - lastState: Told in the failure's message: what the world looks like instead.
///   - deadline: When to give up.
///   - fileID: The file of the caller.
///   - line: The line of the caller.
///   - condition: What must come true.
/// - Throws: ``DeadlineExceeded``, `CancellationError`, or what the condition throws.
package func eventually(
    _ expectation: String = "a condition",
    lastState: @autoclosure () -> String? = nil,
    deadline: Duration = .patience,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ condition: () async throws -> Bool
) async throws {
    var attempts = Attempts(deadline)
    while true {
        if try await condition() { return }
        guard let pause = attempts.nextPause() else { break }
        try await Task.sleep(for: .milliseconds(pause))
    }
    let place = "\(fileID):\(line)"
    throw DeadlineExceeded(expectation: expectation, deadline: deadline, lastState: lastState(), place: place)
}

extension Duration {
    /// How long a test waits, unless it says otherwise, for what takes a moment on a machine where nothing else happens.
    package static let patience = Duration.seconds(60)
}

/// Pauses of 1, 2, 4, 8, then 16 milliseconds: quick when the wait is short, cheap when it is long.
private struct Attempts {
    private let limit: Deadline
    private var milliseconds: Int32 = 1
    private var isOver = false

    init(_ deadline: Duration) {
        limit = Deadline(after: deadline)
    }

    /// How long to wait before the next look, or `nil` after the one look that follows the deadline.
    mutating func nextPause() -> Int32? {
        if isOver { return nil }
        isOver = limit.hasPassed
        defer { milliseconds = min(milliseconds * 2, 16) }
        return isOver ? 0 : min(milliseconds, limit.pollTimeout)
    }
}
