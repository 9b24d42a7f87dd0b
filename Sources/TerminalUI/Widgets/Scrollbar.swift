// SPDX-License-Identifier: Apache-2.0

/// Which rows of a list are in sight, and what a scrollbar shows of that.
package struct Scrollbar: Hashable, Sendable {
    /// How many rows the list has.
    package let count: Int
    /// How many of them are in sight at once, 1 or more.
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
    /// Whether there is more than what is in sight.
    package var isNeeded: Bool { count > page }

    /// The rows of the thumb on a track of so many rows.
    package func thumb(track: Int) -> Range<Int> {
        guard isNeeded, track > 0 else { return 0..<max(track, 0) }
        let length = min(max(track * page / count, 1), track)
        let start = ((track - length) * top + lastTop / 2) / lastTop
        return start..<start + length
    }

    /// Which row of the thumb a press on a row of the track takes hold of; beside the thumb, its middle.
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
