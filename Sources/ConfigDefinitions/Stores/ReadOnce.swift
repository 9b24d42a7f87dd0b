// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Readings by keys, one for each key: a snapshot that is taken as it is needed.
struct ReadOnce<Key: Hashable & Sendable, Value: Sendable>: ~Copyable, Sendable {
    private let known = Mutex<[Key: Value]>([:])

    func value(of key: Key, read: () -> Value) -> Value {
        if let value = known.withLock({ $0[key] }) { return value }
        // Outside the lock, since it may evaluate other definitions. Of two threads, both get the result of the first.
        let value = read()
        return known.withLock { known in
            if let first = known[key] { return first }
            known.updateValue(value, forKey: key)
            return value
        }
    }
}

/// An object as a key, which no other object equals while the key exists.
struct Identity: Hashable, Sendable {
    let object: any AnyObject & Sendable

    init(_ object: any AnyObject & Sendable) { self.object = object }

    static func == (left: Identity, right: Identity) -> Bool { left.object === right.object }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }
}
