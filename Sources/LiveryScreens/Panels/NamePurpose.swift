// SPDX-License-Identifier: Apache-2.0

/// The purpose of the name of a key that is typed.
enum NamePurpose: Hashable, Sendable {
    case add(prefix: String)
    case rename(String)
    case copy(String)

    var title: String {
        switch self {
        case .add: "New key"
        case .rename: "Rename key"
        case .copy: "Duplicate key"
        }
    }

    /// The text to begin with.
    var proposed: String {
        switch self {
        case .add(let text), .rename(let text), .copy(let text): text
        }
    }
}
