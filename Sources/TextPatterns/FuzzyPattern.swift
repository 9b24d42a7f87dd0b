// SPDX-License-Identifier: Apache-2.0

/// A word whose letters are searched in their order in names, with others between them, in the manner of fzf.
///
/// A match scores higher the closer together its letters are, and the more of them begin a part of the name: `afc` finds
/// `app.fun.color` before `saffic`. ASCII letters match in any case; the bytes of other characters match only themselves.
///
/// ```swift
/// let pattern = FuzzyPattern("afc")
/// pattern.score(in: "app.fun.color")      // 78
/// pattern.positions(in: "app.fun.color")  // [0, 4, 8]
/// ```
package struct FuzzyPattern: Sendable {
    /// The letters as bytes of UTF-8, in lower case.
    private let letters: [UInt8]

    private static let match: Int32 = 16
    /// For a letter after a dot, a dash or another sign; the first of the name has a little more.
    private static let boundary: Int32 = 8
    private static let start: Int32 = 10
    /// For a capital after a small letter, and a digit after a letter.
    private static let hump: Int32 = 7
    /// For a letter right after the one before: more than for the beginning of a part, so that whole words come first.
    private static let adjacent: Int32 = 9
    private static let none = Int32.min / 2

    /// Longer names are searched up to here only.
    private static let maximumBytes = 1024

    package init(_ word: some StringProtocol) { letters = word.utf8.map(\.lowercased) }

    /// The score of the best match, more than 0 unless the word is empty; `nil` without a match.
    package func score(in name: String) -> Int? {
        var name = name
        return name.withUTF8 { bytes in
            let bytes = Self.cut(bytes)
            return letters.count == 1
                ? score(of: letters[0], in: bytes) : search(bytes) { _, score, _ in score }
        }
    }

    /// The score of a single letter, the first that is typed: no other letter matters.
    private func score(of letter: UInt8, in name: UnsafeBufferPointer<UInt8>) -> Int? {
        var score: Int32?
        for (column, byte) in name.enumerated() where byte.lowercased == letter {
            score = max(score ?? 0, Self.match + 2 * Self.bonus(of: column, in: name))
        }
        return score.map(Int.init)
    }

    /// The places of the letters of the best match, as offsets in UTF-8; `nil` without a match.
    package func positions(in name: String) -> [Int]? {
        var name = name
        return name.withUTF8 { bytes in
            let bytes = Self.cut(bytes)
            return search(bytes) { cells, _, end in positions(cells, columns: bytes.count, end: end) }
        }
    }

    private static func cut(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes.prefix(maximumBytes))
    }

    /// For each letter and each place of the name: the score of the best match up to this letter that ends here, and that of
    /// the best one that ends here or before, less one for each place between.
    private typealias Cells = UnsafeMutableBufferPointer<(ending: Int32, best: Int32)>

    private func search<Result>(
        _ name: UnsafeBufferPointer<UInt8>,
        _ result: (_ cells: Cells, _ score: Int, _ end: Int) -> Result
    ) -> Result? {
        guard isIn(name) else { return nil }
        let columns = name.count
        return withUnsafeTemporaryAllocation(
            of: (ending: Int32, best: Int32).self,
            capacity: letters.count * columns
        ) { cells in
            for row in letters.indices { fill(row, of: cells, name) }
            var (score, end) = (letters.isEmpty ? 0 : Self.none, 0)
            for column in 0..<(letters.isEmpty ? 0 : columns) {
                let ending = cells[(letters.count - 1) * columns + column].ending
                if ending > score { (score, end) = (ending, column) }
            }
            return result(cells, Int(score), end)
        }
    }

    /// Whether the letters are there in their order, which most names are not.
    private func isIn(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        var next = 0
        for byte in name where next < letters.count && byte.lowercased == letters[next] { next += 1 }
        return next == letters.count
    }

    private func fill(_ row: Int, of cells: Cells, _ name: UnsafeBufferPointer<UInt8>) {
        let (letter, columns) = (letters[row], name.count)
        var best = Self.none
        for column in 0..<columns {
            var ending = Self.none
            if name[column].lowercased == letter {
                let bonus = Self.bonus(of: column, in: name)
                if row == 0 {
                    ending = Self.match + 2 * bonus
                } else if column > 0 {
                    let before = cells[(row - 1) * columns + column - 1]
                    ending = max(before.best + bonus, before.ending + max(bonus, Self.adjacent)) + Self.match
                }
            }
            best = max(ending, best - 1)
            cells[row * columns + column] = (ending, best)
        }
    }

    private static func bonus(of column: Int, in name: UnsafeBufferPointer<UInt8>) -> Int32 {
        if column == 0 { return start }
        let (byte, before) = (name[column], name[column - 1])
        if !before.isLetterOrDigit { return boundary }
        let isHump = byte.isCapital && !before.isCapital || byte.isDigit && !before.isDigit
        return isHump ? hump : 0
    }

    private func positions(_ cells: Cells, columns: Int, end: Int) -> [Int] {
        var positions: [Int] = []
        var column = end
        for row in letters.indices.reversed() {
            positions.append(column)
            guard row > 0 else { break }
            let score = cells[row * columns + column].ending
            let before = cells[(row - 1) * columns + column - 1]
            column -= 1
            // The bonus of this letter is in its score: where the letter before is not adjacent, the best one is further left.
            let isAdjacent = before.ending > Self.none / 2 && before.ending + Self.adjacent + Self.match >= score
            if isAdjacent || before.ending == before.best { continue }
            while cells[(row - 1) * columns + column].ending != cells[(row - 1) * columns + column].best { column -= 1 }
        }
        return positions.reversed()
    }
}

extension UInt8 {
    fileprivate var isCapital: Bool { self &- 0x41 < 26 }
    fileprivate var isDigit: Bool { self &- 0x30 < 10 }
    fileprivate var lowercased: UInt8 { isCapital ? self | 0x20 : self }
    /// Bytes of other scripts count as letters.
    fileprivate var isLetterOrDigit: Bool { lowercased &- 0x61 < 26 || isDigit || self >= 0x80 }
}
