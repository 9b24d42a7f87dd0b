// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// The difference between two values, line by line of their indented JSON, with a few unchanged lines around each change.
package struct ValueDiff: Hashable, Sendable {
    /// A line of the difference.
    package enum Line: Hashable, Sendable {
        case same(String)
        case removed(String)
        case added(String)
        /// So many unchanged lines are left out.
        case gap(Int)
    }

    /// The lines, the removed ones of a change before the added ones.
    package let lines: [Line]

    private static let context = 3
    /// More lines are not compared one by one, which takes time that grows with their square.
    private static let maximumComparedLines = 4000

    /// - Parameters:
    ///   - old: `nil` if there was no value.
    ///   - new: `nil` if there is no value.
    package init(from old: EntryValue?, to new: EntryValue?) {
        let (old, new) = (Self.lines(of: old), Self.lines(of: new))
        let start = zip(old, new).prefix { $0.0 == $0.1 }.count
        let rest = min(old.count, new.count) - start
        let end = zip(old.reversed(), new.reversed()).prefix { $0.0 == $0.1 }.prefix(rest).count
        let (removed, added) = (old[start..<(old.count - end)], new[start..<(new.count - end)])
        let middle = Self.compared(Array(removed), Array(added))
        lines = Self.shortened(old[..<start].map(Line.same) + middle + old[(old.count - end)...].map(Line.same))
    }

    private static func lines(of value: EntryValue?) -> [String] {
        guard let value else { return [] }
        let json = PrettyJSON.laidOut(Array(value.canonicalJSON.utf8))
        return json.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func compared(_ old: [String], _ new: [String]) -> [Line] {
        guard !old.isEmpty, !new.isEmpty, old.count + new.count <= maximumComparedLines else {
            return old.map(Line.removed) + new.map(Line.added)
        }
        let changes = new.map(ExactString.init(_:)).difference(from: old.map(ExactString.init(_:)))
        var (removals, insertions) = (Set<Int>(), Set<Int>())
        for change in changes {
            switch change {
            case .remove(let offset, _, _): removals.insert(offset)
            case .insert(let offset, _, _): insertions.insert(offset)
            }
        }
        var (lines, left, right) = ([Line](), 0, 0)
        while left < old.count || right < new.count {
            if left < old.count, removals.contains(left) {
                lines.append(.removed(old[left]))
                left += 1
            } else if right < new.count, insertions.contains(right) {
                lines.append(.added(new[right]))
                right += 1
            } else {
                if left < old.count { lines.append(.same(old[left])) }
                (left, right) = (left + 1, right + 1)
            }
        }
        return lines
    }

    /// The lines without the unchanged ones that are far from a change.
    private static func shortened(_ lines: [Line]) -> [Line] {
        var isNear = [Bool](repeating: false, count: lines.count)
        for (index, line) in lines.enumerated() {
            if case .same = line { continue }
            for near in max(index - context, 0)...min(index + context, lines.count - 1) { isNear[near] = true }
        }
        var shortened: [Line] = []
        var index = 0
        while index < lines.count {
            if isNear[index] {
                shortened.append(lines[index])
                index += 1
                continue
            }
            let end = isNear[index...].firstIndex(of: true) ?? lines.count
            shortened.append(end - index == 1 ? lines[index] : .gap(end - index))
            index = end
        }
        return shortened
    }
}
