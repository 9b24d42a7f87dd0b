// SPDX-License-Identifier: Apache-2.0

import TerminalUI

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

    /// The field to begin with: typing continues a prefix, and replaces a key.
    var field: TextField {
        switch self {
        case .add(let prefix): TextField(prefix)
        case .rename(let key), .copy(let key): TextField(selecting: key)
        }
    }
}
