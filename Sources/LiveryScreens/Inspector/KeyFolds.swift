// SPDX-License-Identifier: Apache-2.0

import Basics

/// The groups of a sorted list of keys that are one row each. The keys of a group begin with the same parts, as in `app.*`.
struct KeyFolds: Sendable {
    /// A group in the list.
    struct Group: Hashable, Sendable {
        /// With the dot at the end.
        var prefix: String
        /// The places of its keys.
        var keys: Range<Int>
        /// The row that it takes.
        var row: Int
    }

    /// The folded prefixes, with the dot at the end.
    private var prefixes: Set<String> = []
    /// In order; a group in another one is part of that.
    private(set) var groups: [Group] = []
    private var keyCount = 0

    /// The number of rows.
    var count: Int { keyCount - groups.reduce(0) { $0 + $1.keys.count - 1 } }

    /// Finds the groups in a sorted list of keys.
    mutating func apply(to keys: [String]) {
        (groups, keyCount) = ([], keys.count)
        var hidden = 0
        for prefix in prefixes.sorted() {
            if let last = groups.last, prefix.utf8.starts(with: last.prefix.utf8) { continue }
            let range = Self.range(of: prefix, in: keys[...])
            guard range.count > 1 else { continue }
            groups.append(Group(prefix: prefix, keys: range, row: range.lowerBound - hidden))
            hidden += range.count - 1
        }
    }

    /// Folds the smallest group of several keys that a key is in, or unfolds the group that it is in.
    ///
    /// - Returns: whether there is one.
    mutating func toggle(at place: Int, of keys: [String]) -> Bool {
        if unfold(at: place, of: keys) { return true }
        var key = keys[place][...]
        while let dot = key.utf8.lastIndex(of: UInt8(ascii: ".")) {
            let prefix = String(key[...dot])
            if Self.range(of: prefix, in: keys[...]).count > 1 {
                prefixes.insert(prefix)
                apply(to: keys)
                return true
            }
            key = key[..<dot]
        }
        return false
    }

    /// Unfolds the group that a key is in, with the groups in it.
    ///
    /// - Returns: whether there is one.
    mutating func unfold(at place: Int, of keys: [String]) -> Bool {
        guard let group = group(at: place) else { return false }
        prefixes = prefixes.filter { !$0.utf8.starts(with: group.prefix.utf8) }
        apply(to: keys)
        return true
    }

    /// Folds the largest groups, or unfolds everything if there are any folds.
    mutating func toggleAll(of keys: [String]) {
        let wasFolded = !groups.isEmpty
        prefixes = []
        defer { apply(to: keys) }
        if wasFolded { return }
        var place = 0
        while place < keys.count {
            guard let dot = keys[place].utf8.firstIndex(of: UInt8(ascii: ".")) else {
                place += 1
                continue
            }
            let prefix = String(keys[place][...dot])
            let range = Self.range(of: prefix, in: keys[place...])
            if range.count > 1 { prefixes.insert(prefix) }
            place = max(range.upperBound, place + 1)
        }
    }

    private static func range(of prefix: String, in keys: ArraySlice<String>) -> Range<Int> {
        let start = keys.lowerBound { $0 < prefix }
        let end = keys[start...].lowerBound { $0.utf8.starts(with: prefix.utf8) }
        return start..<end
    }
}

extension KeyFolds {
    /// The group that the key at a place is in.
    func group(at place: Int) -> Group? {
        let next = groups.lowerBound { $0.keys.lowerBound <= place }
        return next > 0 && groups[next - 1].keys.contains(place) ? groups[next - 1] : nil
    }

    /// The row of the key at a place, or of its group.
    func row(ofPlace place: Int) -> Int {
        let next = groups.lowerBound { $0.keys.lowerBound <= place }
        guard next > 0 else { return place }
        let group = groups[next - 1]
        return group.keys.contains(place) ? group.row : group.row + 1 + place - group.keys.upperBound
    }

    /// The place of the key of a row, or of the first key of its group.
    func place(ofRow row: Int) -> Int {
        let next = groups.lowerBound { $0.row <= row }
        guard next > 0 else { return row }
        let group = groups[next - 1]
        return group.row == row ? group.keys.lowerBound : group.keys.upperBound + row - group.row - 1
    }
}
