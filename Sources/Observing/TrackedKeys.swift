// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

/// What Swift's Observation tracks of a value that has keys and is replaced on any thread: each key by itself.
///
/// Readers are told on the main queue, once for changes that come in a row. Observation tracks what a closure has read only
/// when the closure has ended, so that a change in between would be missed; told on the main queue, it comes after all that
/// the main actor was about to read.
package final class TrackedKeys: Sendable {
    private struct State {
        var keys: [String: ObservedReading] = [:]
        /// The keys whose readers are still to be told.
        var changed: Set<String> = []
    }

    private let state = Mutex(State())
    private let subscription = Mutex<Subscription?>(nil)
    private let subscribe: @Sendable (TrackedKeys) -> Subscription

    /// Tracks the keys of a value, which is observed once the first of them is asked for.
    ///
    /// - Parameter isChanged: whether something else is found under a key than before.
    package init<Value>(
        of observed: Observed<Value>,
        isChanged: @escaping @Sendable (_ key: String, _ previous: Value, _ next: Value) -> Bool
    ) {
        subscribe = { keys in
            observed.observe { [weak keys] previous, next in keys?.note { isChanged($0, previous, next) } }
        }
    }

    /// A key, always the same object.
    package subscript(name: String) -> ObservedReading {
        let key = state.withLock { state in
            if let key = state.keys[name] { return key }
            let key = ObservedReading()
            state.keys[name] = key
            return key
        }
        // No key is returned before the subscription stands: its reader would miss a change in between.
        subscription.withLock { if $0 == nil { $0 = subscribe(self) } }
        return key
    }

    private func note(_ isChanged: (String) -> Bool) {
        let names = state.withLock { Array($0.keys.keys) }.filter(isChanged)
        if names.isEmpty { return }
        let isFirst = state.withLock { state in
            defer { state.changed.formUnion(names) }
            return state.changed.isEmpty
        }
        if isFirst { DispatchQueue.main.async { self.announce() } }
    }

    private func announce() {
        let keys = state.withLock { state in
            defer { state.changed = [] }
            return state.changed.compactMap { state.keys[$0] }
        }
        for key in keys { key.announce() }
    }
}
