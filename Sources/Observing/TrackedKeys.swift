// SPDX-License-Identifier: Apache-2.0

internal import Basics
internal import Synchronization

/// The parts of a keyed value that Swift's Observation tracks. The value may be replaced on any thread; each key is a separate
/// ``ObservedReading`` that is announced on the main queue.
package final class TrackedKeys: Sendable {
    private let keys = Mutex<[ExactString: ObservedReading]>([:])
    private let subscription = Mutex<ObservationToken?>(nil)
    private let subscribe: @Sendable (TrackedKeys) -> ObservationToken

    /// Tracks the keys of a value, which is observed from the first read of a key on.
    ///
    /// - Parameter isChanged: whether something else is found under a key than before.
    package init<Value>(
        of observed: Observed<Value>,
        isChanged: @escaping @Sendable (_ key: String, _ previous: Value, _ next: Value) -> Bool
    ) {
        subscribe = { tracked in
            observed.observe { [weak tracked] previous, next in
                for (name, key) in tracked?.keys.withLock(\.self) ?? [:] where isChanged(name.string, previous, next) {
                    key.announceOnMain()
                }
            }
        }
    }

    /// A key, always the same object.
    package subscript(name: String) -> ObservedReading {
        let key = keys.withLock { keys in
            if let key = keys[ExactString(name)] { return key }
            let key = ObservedReading()
            keys[ExactString(name)] = key
            return key
        }
        // No key is returned before the subscription exists: its reader would miss a change in between.
        subscription.withLock { if $0 == nil { $0 = subscribe(self) } }
        return key
    }
}
