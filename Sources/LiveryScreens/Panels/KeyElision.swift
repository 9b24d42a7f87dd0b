// SPDX-License-Identifier: Apache-2.0

import TerminalUI

/// The parts of long keys that a column has room for, so that no two keys in sight look alike.
///
/// A key that is too long loses its middle; keys that would then be the same are shown from where they begin to differ.
struct KeyElision: Hashable, Sendable {
    /// The parts of a key, as offsets in UTF-8, in order; what is between two of them is an ellipsis.
    typealias Parts = [Range<Int>]

    /// The parts of each key, in the order of the keys.
    private(set) var parts: [Parts]

    /// The columns before the first difference that show where a key is cut.
    private static let context = 3
    /// Each round separates the keys that differ first where others are the same.
    private static let maximumRounds = 8

    /// - Parameters:
    ///   - keys: the keys in sight. They are ASCII, so that a byte is a column.
    ///   - columns: the room for a key.
    init(_ keys: [String], columns: Int) {
        let bytes = keys.map { Array($0.utf8) }
        parts = bytes.map { Self.withoutMiddle($0.count, columns: columns) }
        if bytes.allSatisfy({ $0.count <= columns }) { return }
        // Keys that still look alike begin to differ later.
        for _ in 0..<Self.maximumRounds {
            let groups = Dictionary(grouping: keys.indices) { Self.text(of: bytes[$0], parts[$0]) }
            let alike = groups.values.filter { $0.count > 1 }
            if alike.isEmpty { break }
            for group in alike {
                let start = Self.commonPrefix(group.map { bytes[$0] })
                for index in group { parts[index] = Self.from(start, of: bytes[index].count, columns: columns) }
            }
        }
    }

    private static func withoutMiddle(_ count: Int, columns: Int) -> Parts {
        guard count > columns, columns > 2 else { return [0..<min(count, max(columns, 0))] }
        let head = (columns - 1) / 2
        return [0..<head, count - (columns - 1 - head)..<count]
    }

    private static func from(_ difference: Int, of count: Int, columns: Int) -> Parts {
        guard count > columns, columns > 2 else { return withoutMiddle(count, columns: columns) }
        let room = columns - 1
        let start = min(max(difference - min(context, room - 1), 0), count - room)
        if start + room >= count { return [0..<0, count - room..<count] }
        return [0..<0, start..<start + room - 1, count..<count]
    }

    private static func commonPrefix(_ keys: [[UInt8]]) -> Int {
        guard let first = keys.first else { return 0 }
        return keys.dropFirst().reduce(first.count) { length, key in
            zip(first.prefix(length), key).prefix { $0 == $1 }.count
        }
    }

    private static func text(of key: [UInt8], _ parts: Parts) -> String {
        parts.map { String(decoding: key[$0], as: UTF8.self) }.joined(separator: "…")
    }
}

extension Array {
    /// The parts of a line of one column for each byte, with an ellipsis between them.
    ///
    /// - Parameter parts: offsets in UTF-8, in order.
    func kept<Target>(_ parts: KeyElision.Parts) -> [Element] where Element == ActiveLine<Target>.Span {
        var kept: [Element] = []
        for (index, part) in parts.enumerated() {
            if index > 0 { kept.append(Element("…", .dimmed)) }
            var start = 0
            for span in self {
                let range = start..<start + span.text.utf8.count
                start = range.upperBound
                let shown = range.clamped(to: part)
                guard !shown.isEmpty else { continue }
                let text = span.text.utf8.dropFirst(shown.lowerBound - range.lowerBound).prefix(shown.count)
                kept.append(Element(String(Substring(text)), span.tone, target: span.target))
            }
        }
        return kept
    }
}
