// SPDX-License-Identifier: Apache-2.0

/// Values by key, in the order in which they were read. Keys are compared by their bytes.
///
/// The keys, the values and the hash table are three arrays: they are written sequentially, shared unchanged by derived
/// collections, and freed at once.
package struct KeyedValues<Value> {
    /// The keys, in order.
    package private(set) var keys: [String] = []
    /// The values, in the order of their keys.
    package private(set) var values: [Value] = []
    /// Open addressing: the upper half of a slot is the mark of a key, the lower its position plus one; 0 is free.
    ///
    /// The mark decides where a key is looked for, so that the table grows without a look at any key.
    private var slots: [UInt64] = []

    /// Creates no values.
    package init() {}

    /// The number of values.
    package var count: Int { keys.count }

    /// Whether there are none.
    package var isEmpty: Bool { keys.isEmpty }

    /// The value of a key; `nil` if there is none.
    package subscript(key: String) -> Value? { index(of: key).map { values[$0] } }

    /// The keys with transformed values.
    package func mapValues<NewValue>(_ transform: (Value) throws -> NewValue) rethrows -> [String: NewValue] {
        var values: [String: NewValue] = Dictionary(minimumCapacity: count)
        for (key, value) in self { values[key] = try transform(value) }
        return values
    }
}

extension KeyedValues {
    /// The position of a key, or its insertion point.
    package struct Place {
        fileprivate let mark: UInt32
        fileprivate let slot: Int
        /// The position of the key; `nil` if it is not there.
        package let index: Int?
    }

    package func index(of key: String) -> Int? { isEmpty ? nil : place(of: key, mark: Self.mark(of: key)).index }

    /// Finds a key, or inserts a place for it.
    package mutating func place(of key: String) -> Place {
        if slots.count * 3 <= count * 4 { grow() }
        return place(of: key, mark: Self.mark(of: key))
    }

    /// Adds a value.
    ///
    /// - Parameter place: of the key, which is not there; nothing was added since.
    package mutating func append(_ value: Value, forKey key: String, at place: Place) {
        keys.append(key)
        values.append(value)
        slots[place.slot] = UInt64(place.mark) << 32 | UInt64(count)
    }

    /// The same keys with the values in these places.
    package func replacing<NewValue>(with values: [NewValue]) -> KeyedValues<NewValue> {
        precondition(values.count == count)
        return KeyedValues<NewValue>(keys: keys, values: values, slots: slots)
    }

    private init(keys: [String], values: [Value], slots: [UInt64]) {
        (self.keys, self.values, self.slots) = (keys, values, slots)
    }

    /// Keys may come from attackers, so the hash is that of a dictionary, with the secret of this process.
    private static func mark(of key: String) -> UInt32 { UInt32(truncatingIfNeeded: ExactString(key).hashValue) }

    private func place(of key: String, mark: UInt32) -> Place {
        var slot = firstSlot(for: mark)
        while slots[slot] != 0 {
            let index = Int(slots[slot] & 0xFFFF_FFFF) - 1
            let isFound = slots[slot] >> 32 == UInt64(mark) && keys[index].hasSameScalars(as: key)
            if isFound { return Place(mark: mark, slot: slot, index: index) }
            slot = (slot + 1) & (slots.count - 1)
        }
        return Place(mark: mark, slot: slot, index: nil)
    }

    /// The number of slots is a power of two, at most 2^32.
    private func firstSlot(for mark: UInt32) -> Int { Int(mark) & (slots.count - 1) }

    private mutating func grow() {
        let old = slots
        slots = [UInt64](repeating: 0, count: Swift.max(16, old.count * 2))
        for content in old where content != 0 {
            var slot = firstSlot(for: UInt32(content >> 32))
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = content
        }
    }
}

extension KeyedValues: Sendable where Value: Sendable {}

extension KeyedValues: Sequence {
    /// Iterates over the values in order.
    package func makeIterator() -> some IteratorProtocol<(key: String, value: Value)> {
        keys.indices.lazy.map { (key: keys[$0], value: values[$0]) }.makeIterator()
    }

    /// The number of values.
    package var underestimatedCount: Int { count }
}

extension KeyedValues: ExpressibleByDictionaryLiteral {
    /// Creates values; the last of duplicate keys wins.
    package init(dictionaryLiteral elements: (String, Value)...) {
        for (key, value) in elements { update(value, forKey: key) }
    }

    /// Creates values in no order.
    package init(_ values: [String: Value]) {
        for (key, value) in values { update(value, forKey: key) }
    }

    package mutating func update(_ value: Value, forKey key: String) {
        let place = place(of: key)
        if let index = place.index { values[index] = value } else { append(value, forKey: key, at: place) }
    }
}

extension KeyedValues: Equatable where Value: Equatable {
    /// Equal if they have the same values for the same keys, in any order.
    package static func == (left: KeyedValues, right: KeyedValues) -> Bool {
        if left.keys.elementsEqual(right.keys, by: { $0.hasSameScalars(as: $1) }) { return left.values == right.values }
        return left.count == right.count && left.allSatisfy { right[$0.key] == $0.value }
    }
}

extension KeyedValues: Hashable where Value: Hashable {
    /// Hashes what equality compares.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(Dictionary(lazy.map { (ExactString($0.key), $0.value) }) { $1 })
    }
}
