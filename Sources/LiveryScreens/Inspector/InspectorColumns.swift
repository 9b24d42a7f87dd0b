// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Files

/// The division of the inspector's width into columns. Columns that do not fit are dropped, and the value takes the rest.
struct InspectorColumns: Hashable, Sendable {
    /// A column after the value.
    struct Fact: Hashable, Sendable {
        /// The raw value is the name of the column.
        enum Kind: String {
            case type, author
            case place = "position"
            case time = "changed"
        }

        var kind: Kind
        var width: Int
    }

    let key: Int
    private(set) var value: Int
    private(set) var facts: [Fact] = []

    /// The room of the value and of the columns after it.
    let rest: Int

    /// The columns of the cursor and of the mark, before the key.
    static let margin = 2
    static let gap = 2
    private static let timeColumns = "11-20 12:03".count
    private static let typeColumns = "boolean".count
    /// Room for `✖ using #FFB6C1`.
    private static let minimumValueWidth = 15
    /// With more room than this for the value, its type is shown as well.
    private static let roomyValue = 24
    private static let maximumKeyWidth = 32
    private static let maximumPlaceWidth = 16
    private static let minimumPlaceWidth = 8
    private static let maximumAuthorWidth = 16

    /// - Parameters:
    ///   - columns: the width of a row.
    ///   - wanted: how wide keys and places are.
    ///   - author: the width of the longest author; 0 if there are none.
    init(columns: Int, wanted: Wanted, author: Int = 0) {
        let room = max(columns - Self.margin, 0)
        // Half of a wide row, for long keys.
        let roomForKey = max(room - Self.gap - Self.minimumValueWidth, room / 2)
        key = min(max(wanted.key, "key".count), roomForKey, max(Self.maximumKeyWidth, room * 2 / 5))
        rest = max(room - key - Self.gap, 0)
        value = rest
        let (whole, end) = (min(wanted.place, Self.maximumPlaceWidth), min(wanted.place, Self.minimumPlaceWidth))
        let hasBoth = end == 0 || rest - (end + Self.timeColumns + 2 * Self.gap) >= Self.minimumValueWidth
        if whole > 0 {
            let kept = hasBoth ? Self.timeColumns + Self.gap : 0
            if !take(.place, whole, leaving: Self.minimumValueWidth + kept) {
                take(.place, end, leaving: Self.minimumValueWidth + kept)
            }
        }
        if hasBoth { take(.time, Self.timeColumns, leaving: Self.minimumValueWidth) }
        if author > 0 {
            let width = min(max(author, "author".count), Self.maximumAuthorWidth)
            take(.author, width, leaving: Self.minimumValueWidth)
        }
        if take(.type, Self.typeColumns, leaving: Self.roomyValue) { facts.insert(facts.removeLast(), at: 0) }
    }

    /// Adds a column, if that leaves the value so much room.
    @discardableResult
    private mutating func take(_ kind: Fact.Kind, _ width: Int, leaving least: Int) -> Bool {
        guard value - width - Self.gap >= least else { return false }
        value -= width + Self.gap
        facts.append(Fact(kind: kind, width: width))
        return true
    }

    /// The preferred widths of the key columns.
    struct Wanted: Hashable, Sendable {
        var key = 0
        /// 0 if no value has a place in its source.
        var place = 0

        private static let sampleCount = 256

        /// Measures keys throughout a list, and no more of a long one than can be measured at once.
        init(_ keys: [String], in entries: ConfigEntries) {
            // Neighbours mostly come from one source.
            var (source, sourceLength) = ("", 0)
            for index in stride(from: 0, to: keys.count, by: max(keys.count / Self.sampleCount, 1)) {
                key = max(key, keys[index].utf8.count)
                guard let entry = entries[keys[index]], entry.location != nil else { continue }
                if source != entry.source { (source, sourceLength) = (entry.source, entry.shortSource.utf8.count) }
                place = max(place, sourceLength + entry.lineSuffix.utf8.count)
            }
        }
    }
}

extension ConfigEntry {
    /// The last part of the source's name and the line, such as `config.json:2`.
    var shortPlace: String { shortSource + lineSuffix }

    fileprivate var shortSource: String { source.fileNameOfPath }

    fileprivate var lineSuffix: String { location.map { ":\($0.line)" } ?? "" }
}
