// SPDX-License-Identifier: Apache-2.0

/// The visible rows of a list, and their scrollbar.
package struct Scrollbar: Hashable, Sendable {
    /// The number of rows in the list.
    package let count: Int
    /// The number of visible rows, 1 or more.
    package let page: Int
    /// The first row in sight.
    package let top: Int

    /// - Parameter top: the first row to be in sight; less where the list ends before.
    package init(count: Int, page: Int, top: Int) {
        self.count = max(count, 0)
        self.page = max(page, 1)
        self.top = min(max(top, 0), max(self.count - self.page, 0))
    }

    /// The last row that can be the first in sight.
    package var lastTop: Int { max(count - page, 0) }
    /// Whether some rows are not visible.
    package var isNeeded: Bool { count > page }

    /// The rows of the thumb on a track.
    package func thumb(track: Int) -> Range<Int> {
        guard isNeeded, track > 0 else { return 0..<max(track, 0) }
        let length = min(max(track * page / count, 1), track)
        let start = ((track - length) * top + lastTop / 2) / lastTop
        return start..<start + length
    }

    /// The row of the thumb that a press on a row of the track grips; outside the thumb, its middle.
    package func grip(at row: Int, track: Int) -> Int {
        let thumb = thumb(track: track)
        return thumb.contains(row) ? row - thumb.lowerBound : thumb.count / 2
    }

    /// The first row in sight once a row of the thumb has been moved to a row of the track.
    package func top(moving grip: Int, to row: Int, track: Int) -> Int {
        let room = track - thumb(track: track).count
        guard room > 0 else { return top }
        return min(max(row - grip, 0), room) * lastTop / room
    }
}
