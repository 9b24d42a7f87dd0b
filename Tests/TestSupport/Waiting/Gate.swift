// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A barrier at which tasks wait while it is closed, cancelled or not.
package final class Gate: Sendable {
    private struct State {
        var isOpen: Bool
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    package init(isOpen: Bool = false) { state = Mutex(State(isOpen: isOpen)) }

    package func close() { state.withLock { $0.isOpen = false } }

    package func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    package func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }
}
