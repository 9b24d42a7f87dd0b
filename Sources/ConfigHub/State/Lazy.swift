// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A value that is computed once, at first use. Concurrent readers wait for it.
package final class Lazy<Value: Sendable>: Sendable {
    private let stored = Mutex<Value?>(nil)
    private let making = Mutex(())

    /// The value, if it has been made. This does not wait for a thread that is making it.
    package var made: Value? { stored.withLock { $0 } }

    /// The value, made by `make` if there is none yet.
    package func value(_ make: () -> Value) -> Value {
        if let made { return made }
        return making.withLock { _ in
            if let made { return made }
            let value = make()
            stored.withLock { $0 = value }
            return value
        }
    }
}
