// SPDX-License-Identifier: Apache-2.0

/// Rows that are made when somebody looks at them, so that a list of any length costs what is seen of it.
package struct LazyRows<Row>: RandomAccessCollection {
    package let startIndex = 0
    package let endIndex: Int
    private let makeRow: (Int) -> Row

    /// - Parameter makeRow: makes a row, from its number below the count.
    package init(count: Int, _ makeRow: @escaping (Int) -> Row) {
        endIndex = count
        self.makeRow = makeRow
    }

    /// Rows that are there already.
    package init(_ rows: [Row]) {
        self.init(count: rows.count) { rows[$0] }
    }

    package subscript(index: Int) -> Row { makeRow(index) }
}
