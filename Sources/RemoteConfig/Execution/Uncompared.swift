// SPDX-License-Identifier: Apache-2.0

/// A value that says nothing about whether what holds it is the same.
struct Uncompared<Value: Sendable>: Hashable, Sendable {
    var value: Value

    init(_ value: Value) { self.value = value }

    static func == (left: Uncompared, right: Uncompared) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}
