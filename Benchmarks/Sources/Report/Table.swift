// SPDX-License-Identifier: Apache-2.0

/// A Markdown table: the first column is text, the others are numbers.
struct Table: CustomStringConvertible {
    let columns: [String]
    private(set) var rows: [[String]] = []

    init(_ columns: String...) {
        self.columns = columns
    }

    mutating func add(_ cells: String...) {
        add(cells)
    }

    mutating func add(_ cells: [String]) {
        rows.append(cells)
    }

    var description: String {
        let rule = columns.indices.map { $0 == 0 ? "---" : "---:" }
        return ([columns, rule] + rows).map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }
}
