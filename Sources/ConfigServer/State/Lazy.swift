internal import Synchronization

/// A value that is made when it is first asked for, once, whoever asks.
///
/// Those who ask while it is being made wait for it: making it is short and never waits for anything itself.
package final class Lazy<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    package init() {}

    /// The value, if it has been made and nobody is at it.
    package var made: Value? { value.withLockIfAvailable { $0 } ?? nil }

    /// The value, made by `make` if there is none yet.
    package func value(_ make: () -> Value) -> Value {
        value.withLock { value in
            if let value { return value }
            let made = make()
            value = made
            return made
        }
    }
}
