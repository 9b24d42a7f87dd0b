// SPDX-License-Identifier: Apache-2.0

/// The purpose of the name of a key that is typed, as a title.
enum NamePurpose: String, Hashable, Sendable {
    case add = "New key"
    case rename = "Rename key"
    case copy = "Duplicate key"
}
