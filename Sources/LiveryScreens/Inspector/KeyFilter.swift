// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// The keys that match a text by themselves or by their values, found a slice at a time.
///
/// Each word of the text has to be in the key or in the value; case makes no difference.
struct KeyFilter: Sendable {
    let text: String
    private let words: [FilterWord]
    /// The keys found so far, sorted.
    private(set) var matches: [String] = []
    /// The keys to look at, sorted.
    private let source: [String]
    private var next = 0
    /// Keys that have changed while others were still to be looked at.
    private var changed: Set<String> = []

    /// The number of keys that are filtered in one step: the first takes about half a millisecond, so that the input is shown
    /// at once; later ones take two, with time for a key press between two frames.
    static let slices = (first: 4096, next: 16_384)

    /// - Parameter former: the filter before this text was typed: where the text has only grown, no key comes back.
    init(_ text: String, among keys: [String], after former: KeyFilter? = nil) {
        self.text = text
        words = FilterWord.words(of: text)
        if let former, text.utf8.starts(with: former.text.utf8), former.changed.isEmpty {
            source = former.isComplete ? former.matches : former.source
        } else {
            source = keys
        }
    }

    /// Whether every key has been looked at.
    var isComplete: Bool { next == source.count }

    /// Filters the next keys.
    mutating func goOn(in entries: ConfigEntries) {
        let end = min(next + (next == 0 ? Self.slices.first : Self.slices.next), source.count)
        for key in source[next..<end] where accepts(key, in: entries) { matches.append(key) }
        next = end
        if isComplete, !changed.isEmpty { apply(in: entries) }
    }

    /// Applies added, changed and removed keys.
    ///
    /// - Returns: whether it did; if too many keys have changed, starting again is faster.
    mutating func update(_ keys: [String], in entries: ConfigEntries) -> Bool {
        guard changed.count + keys.count <= 256 else { return false }
        changed.formUnion(keys)
        if isComplete { apply(in: entries) }
        return true
    }

    private mutating func apply(in entries: ConfigEntries) {
        for key in changed {
            let place = matches.lowerBound(of: key)
            let isThere = place < matches.count && matches[place] == key
            switch (isThere, accepts(key, in: entries)) {
            case (true, false): matches.remove(at: place)
            case (false, true): matches.insert(key, at: place)
            default: break
            }
        }
        changed = []
    }

    private func accepts(_ key: String, in entries: ConfigEntries) -> Bool {
        var value: EntryValue?
        for word in words where !word.isIn(key) {
            value = value ?? entries[key]?.value
            guard let value, word.isIn(value) else { return false }
        }
        // Keys that have been removed since are known to be changed.
        return changed.isEmpty || entries[key] != nil
    }
}

extension [String] {
    /// The place of the first text that is not below another one, in a sorted list.
    func lowerBound(of text: String) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < text { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
