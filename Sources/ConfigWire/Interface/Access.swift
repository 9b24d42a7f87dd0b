// SPDX-License-Identifier: Apache-2.0

/// The rights of a token; each role includes those before it.
public enum Role: String, Comparable, CaseIterable, Sendable {
    /// Read the configuration and follow it.
    case read
    /// Read, and change entries, schemas and rules.
    case write
    /// Undo the changes of others: roll a whole namespace back.
    case admin

    /// Whether the right role allows more.
    public static func < (left: Role, right: Role) -> Bool {
        allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }
}

package enum Access: Hashable, Sendable {
    /// None: anyone may send it.
    case open
    /// Any token, if the server has tokens.
    case anyToken
    /// A token with at least this role for the namespace in the path, or else for the standard one.
    case namespace(Role)
}
