// SPDX-License-Identifier: Apache-2.0

/// The purpose of a name that is typed for a key.
enum KeyNaming: Hashable, Sendable {
    case add(prefix: String)
    case rename(String)
    case copy(String)
}
