// SPDX-License-Identifier: Apache-2.0

/// The features that occurred together, in pairs.
struct ModelFeatures {
    /// Each group is one dimension: its features exclude each other.
    static let groups: [(name: String, features: [String])] = [
        ("source", ["one", "layers", "nested"]),
        ("default", ["none", "plain", "exact"]),
        ("document", ["plain", "exact", "server"]),
        ("rule", ["no rule", "rule", "shared evaluator", "dated rule"]),
        ("source's user", ["shared", "personal"]),
        ("user", ["nobody", "own", "values(for: own)", "values(for:)", "$current"]),
        ("activation", ["immediate", "onDemand", "nextLaunch"]),
        ("start", ["fresh", "from cache"]),
        ("run", ["refreshed", "running"]),
        ("step", ["publish", "user", "activate", "time", "restart", "failure"]),
        ("type", ["any", "String", "Int", "Double", "Bool", "[Int]", "[String]", "[String: Int]", "struct"]),
        ("tweak", ["none", "of the type", "of another type"]),
        ("way", ModelWay.allCases.map { "\($0)" }),
    ]
    static let names = groups.flatMap { group in group.features.map { "\(group.name): \($0)" } }
    private static let starts = groups.indices.map { groups[..<$0].map(\.features.count).reduce(0, +) }

    private var counts = [Int](repeating: 0, count: names.count * names.count)

    /// Counts a reading.
    ///
    /// - Parameter features: The position of the feature in each group.
    mutating func count(_ features: [Int]) {
        let all = features.enumerated().map { Self.starts[$0] + $1 }
        for first in all { for second in all { counts[first * Self.names.count + second] += 1 } }
    }

    mutating func add(_ other: ModelFeatures) {
        for index in counts.indices { counts[index] += other.counts[index] }
    }

    private func count(_ first: Int, _ second: Int) -> Int { counts[first * Self.names.count + second] }

    /// The pairs of different groups, by the positions of their features.
    private var pairs: [(Int, Int)] {
        var pairs: [(Int, Int)] = []
        for group in Self.groups.indices {
            for other in (group + 1)..<Self.groups.endIndex {
                for first in Self.groups[group].features.indices {
                    for second in Self.groups[other].features.indices {
                        pairs.append((Self.starts[group] + first, Self.starts[other] + second))
                    }
                }
            }
        }
        return pairs
    }

    /// The pairs that did not occur.
    func missing(except isImpossible: (String, String) -> Bool) -> [String] {
        pairs.filter { count($0, $1) == 0 && !isImpossible(Self.names[$0], Self.names[$1]) }
            .map { "\(Self.names[$0]) × \(Self.names[$1])" }
    }

    /// The number of pairs that occurred.
    var covered: Int { pairs.count { count($0, $1) > 0 } }

    /// The counts, a row for each feature.
    var matrix: String {
        let width = Self.names.map(\.count).max() ?? 0
        func short(_ count: Int) -> String {
            let text = count < 10_000 ? "\(count)" : count < 10_000_000 ? "\(count / 1000)k" : "\(count / 1_000_000)M"
            return String(repeating: " ", count: 6 - text.count) + text
        }
        let rows = Self.names.indices.map { row in
            let name = Self.names[row] + String(repeating: " ", count: width - Self.names[row].count)
            let number = short(row + 1)
            return "\(number) \(name)" + (0...row).map { short(count(row, $0)) }.joined()
        }
        let head = String(repeating: " ", count: width + 7) + Self.names.indices.map { short($0 + 1) }.joined()
        return ([head] + rows).joined(separator: "\n")
    }
}
