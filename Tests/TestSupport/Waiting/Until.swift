internal import Synchronization

/// A test waited in vain.
package struct Overdue: Error, CustomStringConvertible {
    package let description: String
}

/// Waits until a condition holds, for 100 s at most.
package func until(_ expectation: String, _ condition: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(100)
    while try await !condition() {
        if ContinuousClock.now > deadline { throw Overdue(description: "waited in vain until \(expectation)") }
        try await Task.sleep(for: .milliseconds(1))
    }
}

/// What threads of a test have recorded, in order.
package final class Log<Entry: Sendable>: Sendable {
    private let storage = Mutex<[Entry]>([])

    package init() {}

    package var entries: [Entry] { storage.withLock(\.self) }

    package func append(_ entry: Entry) { storage.withLock { $0.append(entry) } }
}
