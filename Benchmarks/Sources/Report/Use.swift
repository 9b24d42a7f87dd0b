// SPDX-License-Identifier: Apache-2.0

/// Uses a value, so that the optimizer does not remove it.
@inline(never)
func use<Value>(_ value: Value) {
    withExtendedLifetime(value) {}
}
