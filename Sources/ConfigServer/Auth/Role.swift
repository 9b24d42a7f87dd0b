/// What a token may do; each role may do what the ones before it may.
package enum Role: String, Comparable, CaseIterable, Sendable {
    /// Read configurations, their history and their streams.
    case read
    /// Change them as well, key by key.
    case write
    /// Undo what others did as well: roll a whole namespace back.
    case admin

    package static func < (left: Role, right: Role) -> Bool {
        guard let left = allCases.firstIndex(of: left), let right = allCases.firstIndex(of: right) else { return false }
        return left < right
    }
}

/// What a request needs.
package enum Access: Hashable, Sendable {
    /// Nothing: anyone may ask.
    case open
    /// Any token, where there are tokens.
    case anyToken
    /// A token with at least this role for the namespace that the path names, or else the standard one.
    case namespace(Role)
}
