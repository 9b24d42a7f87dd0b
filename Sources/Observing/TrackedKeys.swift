// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The parts that Swift's Observation tracks of a value that has keys and is replaced on any thread: each key by itself, as an
/// ``ObservedReading`` that is announced on the main queue.
package final class TrackedKeys: Sendable {
    private let keys = Mutex<[String: ObservedReading]>([:])
    private let subscription = Mutex<Subscription?>(nil)
    private let subscribe: @Sendable (TrackedKeys) -> Subscription

    /// Tracks the keys of a value, which is observed once the first of them is asked for.
    ///
    /// - Parameter isChanged: whether something else is found under a key than before.
    package init<Value>(
        of observed: Observed<Value>,
        isChanged: @escaping @Sendable (_ key: String, _ previous: Value, _ next: Value) -> Bool
    ) {
        subscribe = { tracked in
            observed.observe { [weak tracked] previous, next in
                for (name, key) in tracked?.keys.withLock(\.self) ?? [:] where isChanged(name, previous, next) {
                    key.announceOnMain()
                }
            }
        }
    }

    /// A key, always the same object.
    package subscript(name: String) -> ObservedReading {
        let key = keys.withLock { keys in
            if let key = keys[name] { return key }
            let key = ObservedReading()
            keys[name] = key
            return key
        }
        // No key is returned before the subscription stands: its reader would miss a change in between.
        subscription.withLock { if $0 == nil { $0 = subscribe(self) } }
        return key
    }
}
