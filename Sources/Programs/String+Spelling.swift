// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The suggestion for a word that is not a command: the only name that begins with it, or else the closest one.
    package func suggestion(of names: some Collection<String>) -> String? {
        let longer = names.filter { $0.hasPrefix(lowercased()) }
        return count > 2 && longer.count == 1 ? longer[0] : closest(of: names)
    }

    /// The name that is the fewest errors of typing away, at most a third of its length, whatever the case; `nil` if none is.
    package func closest(of names: some Sequence<String>) -> String? {
        let word = lowercased()
        let others = names.map { (name: $0, distance: $0.lowercased().distance(to: word)) }
        return others.filter { $0.distance * 3 <= max(count, 3) && $0.distance < count }
            .min { $0.distance < $1.distance }?.name
    }

    /// The minimum number of characters to insert, remove, replace, or exchange with the next one, to get another name.
    package func distance(to other: String) -> Int {
        let (from, to) = (Array(utf8), Array(other.utf8))
        var rows = [Array(0...to.count)]
        for i in from.indices {
            var row = [i + 1]
            for j in to.indices {
                var best = Swift.min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (from[i] == to[j] ? 0 : 1))
                if i > 0, j > 0, from[i] == to[j - 1], from[i - 1] == to[j] {
                    best = Swift.min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[from.count][to.count]
    }
}
