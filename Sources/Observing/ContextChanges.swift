// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Counts the changes of the evaluation contexts of all configurations in the program. By the count, a cache of values read
/// from any configuration detects that its values may belong to another user.
package final class ContextChanges: Sendable {
    /// The program's counter; a test has its own.
    @TaskLocal package static var ofProgram = ContextChanges()

    /// Sent after each change.
    package let signal = ChangeSignal()
    private let counter = Atomic<UInt64>(0)

    /// Creates a count of no changes.
    package init() {}

    /// Another number after each change.
    package var count: UInt64 { counter.load(ordering: .acquiring) }

    /// Counts a change of a context.
    ///
    /// - Parameter change: Replaces the values of the former context.
    package func record(_ change: () -> Void) {
        // Observers that the change itself notifies must not take former values for present ones.
        counter.add(1, ordering: .acquiringAndReleasing)
        change()
        // Other threads may have read a former value in between.
        counter.add(1, ordering: .acquiringAndReleasing)
        signal.send()
    }
}
