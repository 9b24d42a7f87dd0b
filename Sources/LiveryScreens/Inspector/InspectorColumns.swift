// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Files

/// The division of the inspector's width into columns. Columns that do not fit are dropped, the time before the position, and
/// the value takes the rest.
struct InspectorColumns: Hashable, Sendable {
    let key: Int
    let value: Int
    /// 0 where there is no room for it.
    let place: Int
    /// 0 where there is no room for it.
    let time: Int

    /// The room of the value and of the columns after it.
    var rest: Int { [value, place, time].filter { $0 > 0 }.reduce(-Self.gap) { $0 + $1 + Self.gap } }

    /// The columns of the cursor and of the mark, before the key.
    static let margin = 2
    static let gap = 2
    private static let timeColumns = "11-20 12:03".count
    /// Room for `✖ using #FFB6C1`.
    private static let leastValue = 15
    private static let mostKey = 32
    private static let mostPlace = 16
    private static let leastPlace = 8

    /// - Parameters:
    ///   - columns: the width of a row.
    ///   - wanted: how wide keys and places are.
    init(columns: Int, wanted: Wanted) {
        let room = max(columns - Self.margin, 0)
        let mostKey = min(max(room - Self.gap - Self.leastValue, room / 2), Self.mostKey)
        key = min(max(wanted.key, "key".count), mostKey)
        let rest = max(room - key - Self.gap, 0)
        let (whole, end) = (min(wanted.place, Self.mostPlace), min(wanted.place, Self.leastPlace))
        let choices = [(whole, Self.timeColumns), (end, Self.timeColumns), (whole, 0), (end, 0)]
        let taken = { (choice: (place: Int, time: Int)) in
            choice.place + Self.gap + (choice.time == 0 ? 0 : choice.time + Self.gap)
        }
        let choice = whole == 0 ? nil : choices.first { taken($0) + Self.leastValue <= rest }
        (place, time) = choice ?? (0, 0)
        value = rest - (choice.map(taken) ?? 0)
    }

    /// The preferred widths of the key columns.
    struct Wanted: Hashable, Sendable {
        var key = 0
        var place = 0

        private static let sampleCount = 256

        /// Measures keys throughout a list, and no more of a long one than can be measured at once.
        init(_ keys: [String], in entries: ConfigEntries) {
            // Neighbours mostly come from one source.
            var (source, sourceLength) = ("", 0)
            for index in stride(from: 0, to: keys.count, by: max(keys.count / Self.sampleCount, 1)) {
                key = max(key, keys[index].utf8.count)
                guard let entry = entries[keys[index]] else { continue }
                if source != entry.source { (source, sourceLength) = (entry.source, entry.shortSource.utf8.count) }
                place = max(place, sourceLength + entry.lineSuffix.utf8.count)
            }
        }
    }
}

extension EntrySnapshot.Entry {
    /// The last part of the source's name and the line, such as `config.json:2`.
    var shortPlace: String { shortSource + lineSuffix }

    fileprivate var shortSource: String { source.fileNameOfPath }

    fileprivate var lineSuffix: String { location.map { ":\($0.line)" } ?? "" }

    /// The source and the place in it.
    var fullPlace: String {
        [source, location?.description].compactMap(\.self).joined(separator: ":")
    }
}
