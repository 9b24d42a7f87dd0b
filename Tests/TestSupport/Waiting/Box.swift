// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A value that closures of any thread may read and change.
package final class Box<Value: Sendable>: Sendable {
    private let content: Mutex<Value>

    package init(_ value: Value) { content = Mutex(value) }

    package var value: Value {
        get { content.withLock(\.self) }
        set { content.withLock { $0 = newValue } }
    }

    package func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        content.withLock { body(&$0) }
    }
}

/// The records of a test's threads, in order.
package final class Log<Entry: Sendable>: Sendable {
    private let storage = Mutex<[Entry]>([])

    package init() {}

    package var entries: [Entry] { storage.withLock(\.self) }

    package func append(_ entry: Entry) { storage.withLock { $0.append(entry) } }
}

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
