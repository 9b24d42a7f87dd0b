// SPDX-License-Identifier: Apache-2.0

import TerminalUI
import Testing

struct GeometryTests {
    @Test(arguments: [(0, 0), (-1, 3), (3, -1), (Int.min, Int.min)])
    func negativeExtentsCountAsNone(columns: Int, rows: Int) {
        let size = Size(columns: columns, rows: rows)
        #expect(size.columns == max(columns, 0))
        #expect(size.rows == max(rows, 0))
    }

    @Test func aRectangleContainsItsCellsAndNoOther() {
        let rect = Rect(origin: Point(column: 2, row: 1), size: Size(columns: 3, rows: 2))
        #expect(rect.columns == 2..<5)
        #expect(rect.rows == 1..<3)
        let contained = (-1...6).flatMap { column in
            (-1...6).map { Point(column: column, row: $0) }.filter(rect.contains)
        }
        #expect(contained == [(2, 1), (2, 2), (3, 1), (3, 2), (4, 1), (4, 2)].map { Point(column: $0.0, row: $0.1) })
    }

    @Test func anInsetRectangleLosesItsBorder() {
        let rect = Rect(origin: Point(column: 10, row: 5), size: Size(columns: 20, rows: 6))
        let inner = rect.inset(columns: 2, rows: 1)
        #expect(inner == Rect(origin: Point(column: 12, row: 6), size: Size(columns: 16, rows: 4)))
        #expect(rect.inset(columns: 11, rows: 4).size == Size(columns: 0, rows: 0))
    }

    @Test(arguments: [
        (Size(columns: 23, rows: 3), Size(columns: 80, rows: 24), Point(column: 28, row: 10)),
        (Size(columns: 4, rows: 2), Size(columns: 10, rows: 6), Point(column: 3, row: 2)),
        (Size(columns: 1, rows: 1), Size(columns: 2, rows: 2), Point(column: 0, row: 0)),
    ])
    func theMiddleIsNearerToTheUpperLeftWhereItCannotBeExact(size: Size, area: Size, origin: Point) {
        #expect(Rect.centered(size, in: area) == Rect(origin: origin, size: size))
    }
}
