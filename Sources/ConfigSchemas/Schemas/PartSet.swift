// SPDX-License-Identifier: Apache-2.0

/// The members of an object or the elements of an array that keywords have evaluated, by their positions.
struct PartSet {
    private var isEverything = false
    /// A bit for each position.
    private var words: [UInt64] = []

    func contains(_ position: Int) -> Bool {
        if isEverything { return true }
        let word = position / 64
        return word < words.count && words[word] >> UInt64(position % 64) & 1 == 1
    }

    mutating func insert(_ position: Int) {
        let word = position / 64
        if word >= words.count { words += repeatElement(0, count: word + 1 - words.count) }
        words[word] |= 1 << UInt64(position % 64)
    }

    mutating func insertEverything() { isEverything = true }

    mutating func formUnion(_ other: PartSet) {
        isEverything = isEverything || other.isEverything
        if words.count < other.words.count { words += repeatElement(0, count: other.words.count - words.count) }
        for word in other.words.indices { words[word] |= other.words[word] }
    }

    /// The memory that the set takes, in words, which is also the cost of a union.
    var size: Int { words.count }
}
