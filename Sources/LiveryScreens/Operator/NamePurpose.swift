// SPDX-License-Identifier: Apache-2.0

/// The purpose of a name that is typed: that of a key, or that of a file.
enum NamePurpose: Hashable, Sendable {
    case add(prefix: String)
    case rename(String)
    case copy(String)
    case importFile
}
