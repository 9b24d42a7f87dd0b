// SPDX-License-Identifier: Apache-2.0

// Keys are of ASCII, so that their order is that of their bytes.
extension RandomAccessCollection<String> where Index == Int {
    /// The index of a key among sorted keys.
    func sortedIndex(of key: String) -> Int? {
        let index = sortedStart(of: key)
        return index < endIndex && self[index] == key ? index : nil
    }

    /// Those of sorted keys that are below a key; all keys are below the empty one.
    func sortedKeys(below key: String) -> SubSequence {
        if key.isEmpty { return self[...] }
        let start = key + "."
        return self[sortedStart(of: start)...].prefix { $0.utf8.starts(with: start.utf8) }
    }

    /// The index of the first of sorted keys that is not less than a text.
    func sortedStart(of text: String) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].utf8.lexicographicallyPrecedes(text.utf8) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
