// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A condition that did not come true in time, or cannot any more.
package struct WaitError: Error, Hashable, CustomStringConvertible {
    /// The expected condition.
    package let expectation: String
    /// The maximum wait; `nil` if the program has ended before.
    package let deadline: Duration?
    /// The result of the last check, such as the screen, if there is a useful one.
    package let lastState: String?
    /// The place in the test that waited, `Module/File.swift:line`.
    package let place: String

    package init(expectation: String, deadline: Duration?, lastState: String?, place: String) {
        (self.expectation, self.deadline, self.lastState, self.place) = (expectation, deadline, lastState, place)
    }

    package var description: String {
        let state = lastState.map { "\nThe last state was:\n\($0)" } ?? ""
        let reason = deadline.map { "timed out after \($0), waiting" } ?? "the program ended while the test waited"
        return "\(place): \(reason) for \(expectation).\(state)"
    }
}

/// Waits until a condition holds, by looking again every few milliseconds.
///
/// For what cannot be waited on directly: a file that appears, a counter in another process. The condition is looked
/// at once before the first wait and once more after the deadline.
///
/// - Parameters:
///   - expectation: The expected condition, for the message of a timeout.
///   - deadline: The maximum wait.
///   - lastState: The actual state, for the failure's message.
///   - fileID: The file of the caller.
///   - line: The line of the caller.
///   - condition: The condition to wait for.
/// - Throws: ``WaitError``, or what the condition throws.
@_disfavoredOverload  // Asynchronous functions use the other one.
package func until(
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
    throw WaitError(expectation: expectation, deadline: deadline, lastState: lastState(), place: place)
}

/// Waits until an asynchronous condition holds, by looking again every few milliseconds, without blocking a thread.
///
/// - Parameters:
///   - expectation: The expected condition, for the message of a timeout.
///   - lastState: The actual state, for the failure's message.
///   - deadline: The maximum wait.
///   - fileID: The file of the caller.
///   - line: The line of the caller.
///   - condition: The condition to wait for.
/// - Throws: ``WaitError``, `CancellationError`, or what the condition throws.
package func until(
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
    throw WaitError(expectation: expectation, deadline: deadline, lastState: lastState(), place: place)
}

extension Duration {
    /// The default maximum wait of a test for something that takes a moment on an idle machine.
    package static let patience = Duration.seconds(100)
}

/// Pauses of 1, 2, 4, 8, then 16 milliseconds: quick when the wait is short, cheap when it is long.
private struct Attempts {
    private let limit: Deadline
    private var milliseconds: Int32 = 1
    private var isOver = false

    init(_ deadline: Duration) {
        limit = Deadline(after: deadline)
    }

    /// The pause before the next check, or `nil` after the one check that follows the deadline.
    mutating func nextPause() -> Int32? {
        if isOver { return nil }
        isOver = limit.hasPassed
        defer { milliseconds = min(milliseconds * 2, 16) }
        return isOver ? 0 : min(milliseconds, limit.pollTimeout)
    }
}

/// A moment on the monotonic clock after which waiting is a failure.
struct Deadline: Comparable, Sendable {
    private let instant: ContinuousClock.Instant

    init(after duration: Duration) {
        instant = .now + duration
    }

    init(at instant: ContinuousClock.Instant) {
        self.instant = instant
    }

    static func < (one: Deadline, other: Deadline) -> Bool { one.instant < other.instant }

    var hasPassed: Bool {
        ContinuousClock.now >= instant
    }

    /// The time left in whole milliseconds for `poll(2)`, rounded up so that the last wait is no busy loop.
    var pollTimeout: Int32 {
        let (seconds, attoseconds) = ContinuousClock.now.duration(to: instant).components
        if seconds < 0 || attoseconds < 0 { return 0 }
        let milliseconds = min(seconds, 1_000_000) * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int32(clamping: milliseconds)
    }
}

/// Waits until one of the descriptors is ready, and returns whether one was before the deadline.
func waitForEvents(on descriptors: inout [pollfd], until deadline: Deadline) throws(SystemError) -> Bool {
    let count = nfds_t(descriptors.count)
    // The timeout is computed again after a signal, so interruptions cannot extend the wait.
    return try checked("poll") { poll(&descriptors, count, deadline.pollTimeout) } > 0
}
