// SPDX-License-Identifier: Apache-2.0

/// A value that is ignored when its container is compared or hashed.
struct Uncompared<Value: Sendable>: Hashable, Sendable {
    var value: Value

    init(_ value: Value) { self.value = value }

    static func == (left: Uncompared, right: Uncompared) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}
