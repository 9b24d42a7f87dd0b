// SPDX-License-Identifier: Apache-2.0

/// Takes a value that the optimizer could else find to be of no use to anyone.
@inline(never)
func use<Value>(_ value: Value) {
    withExtendedLifetime(value) {}
}
