/// What can be undone: the overrides before each edit, newest last.
struct TweakHistory: Sendable {
    /// What one edit has changed.
    struct Edit: Sendable {
        /// Tells it from all others.
        var number: Int
        /// The overrides before, by tweak; `nil` for none.
        var before: [String: JSONValue?]
    }

    /// How many edits are remembered.
    static let limit = 1000

    private(set) var edits: [Edit] = []
    private var count = 0

    /// Remembers an edit.
    ///
    /// - Parameters:
    ///   - before: the overrides before it.
    ///   - isContinuing: whether it goes on with the last one, if that was of the same tweaks.
    /// - Returns: the edit's number; `nil` if nothing new had to be remembered.
    mutating func record(_ before: [String: JSONValue?], isContinuing: Bool) -> Int? {
        // What was before the first of the edits that belong together is what undoing leads back to.
        if isContinuing, let last = edits.last, Set(last.before.keys) == Set(before.keys) { return nil }
        count += 1
        edits.append(Edit(number: count, before: before))
        if edits.count > Self.limit { edits.removeFirst(edits.count - Self.limit) }
        return count
    }

    /// Forgets an edit that came to nothing.
    mutating func forget(_ number: Int?) {
        edits.removeAll { $0.number == number }
    }

    /// Takes the newest edit out.
    mutating func removeLast() -> Edit? { edits.popLast() }

    /// Puts an edit back that could not be undone.
    mutating func restore(_ edit: Edit) { edits.append(edit) }
}
