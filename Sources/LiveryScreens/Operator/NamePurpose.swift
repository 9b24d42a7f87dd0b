// SPDX-License-Identifier: Apache-2.0

/// The purpose of the name of a key that is typed.
enum NamePurpose: Hashable, Sendable {
    case add(prefix: String)
    case rename(String)
    case copy(String)
}
