/// A track with a knob, for a number within a range.
package struct SliderTrack: Hashable, Sendable {
    /// Where the knob is, from 0 (left) to 1 (right).
    package let share: Double
    /// The width of the track in columns.
    package let columns: Int

    /// Creates a track; a number outside the range is shown at its end.
    package init(_ value: Double, in range: ClosedRange<Double>, columns: Int) {
        let extent = range.upperBound - range.lowerBound
        let share = extent > 0 ? (value - range.lowerBound) / extent : 0
        self.share = share > 0 ? min(share, 1) : 0
        self.columns = max(columns, 1)
    }

    /// The column of the knob.
    package var knob: Int { Int((share * Double(columns - 1)).rounded()) }

    /// The track as it is drawn.
    package var text: String {
        String(repeating: "━", count: knob) + "●" + String(repeating: "─", count: columns - 1 - knob)
    }

    /// The number at a column of a track.
    package static func value(at column: Int, of columns: Int, in range: ClosedRange<Double>) -> Double {
        let share = columns > 1 ? Double(min(max(column, 0), columns - 1)) / Double(columns - 1) : 0
        return range.lowerBound + share * (range.upperBound - range.lowerBound)
    }
}
