// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// The difference between two values, line by line of their indented JSON, with a few unchanged lines around each change.
package struct ValueDiff: Hashable, Sendable {
    /// A line of the difference.
    package enum Line: Hashable, Sendable {
        case same(String)
        case removed(String)
        case added(String)
        /// Both sides in one line, such as `limit: 1 → 2`.
        case changed(String)
        /// So many unchanged lines are left out.
        case gap(Int)
    }

    /// The lines, the removed ones of a change before the added ones.
    package let lines: [Line]

    private static let context = 3
    /// More lines are not compared one by one, which takes time that grows with their square.
    private static let maximumComparedLines = 4000

    init(_ lines: [Line]) { self.lines = lines }

    /// - Parameters:
    ///   - old: `nil` if there was no value.
    ///   - new: `nil` if there is no value.
    package init(from old: EntryValue?, to new: EntryValue?) {
        self.init(fromLines: Self.lines(of: old), to: Self.lines(of: new))
    }

    /// The difference between two texts. A comma at the end of a line makes no difference. Lines that differ and read the same
    /// have escapes.
    package init(fromLines old: [String], to new: [String]) {
        let (left, right) = (old.map(\.withoutComma), new.map(\.withoutComma))
        let start = zip(left, right).prefix { $0.0 == $0.1 }.count
        let rest = min(old.count, new.count) - start
        let end = zip(left.reversed(), right.reversed()).prefix { $0.0 == $0.1 }.prefix(rest).count
        let (removed, added) = (Array(old[start..<(old.count - end)]), Array(new[start..<(new.count - end)]))
        let middle = Self.distinct(Self.compared(removed, added))
        self.init(Self.shortened(new[..<start].map(Line.same) + middle + new[(new.count - end)...].map(Line.same)))
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
        let changes = new.map(\.withoutComma).difference(from: old.map(\.withoutComma))
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
                if right < new.count { lines.append(.same(new[right])) }
                (left, right) = (left + 1, right + 1)
            }
        }
        return lines
    }

    /// Writes the removed and added lines that read the same with escapes.
    static func distinct(_ lines: [Line]) -> [Line] {
        var readings: (removed: Set<String>, added: Set<String>) = ([], [])
        for line in lines {
            switch line {
            case .removed(let text):
                if let reading = text.withoutComma.string.reading { readings.removed.insert(reading) }
            case .added(let text): if let reading = text.withoutComma.string.reading { readings.added.insert(reading) }
            case .same, .changed, .gap: break
            }
        }
        // Strings are equal in a set if they read the same.
        let shared = readings.removed.intersection(readings.added)
        if shared.isEmpty { return lines }
        return lines.map { line in
            switch line {
            case .removed(let text) where text.isAmong(shared): .removed(text.withEscapes)
            case .added(let text) where text.isAmong(shared): .added(text.withEscapes)
            default: line
            }
        }
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

extension ValueDiff {
    /// The changed part of each line that another line replaces, as offsets in UTF-8 of the line as it is shown; `nil` for all
    /// other lines, which are changed as a whole or not at all.
    package func changedParts(shownAs text: (String) -> String) -> [Range<Int>?] {
        var parts = [Range<Int>?](repeating: nil, count: lines.count)
        var index = 0
        while index < lines.count {
            let removed = lines[index...].prefix { if case .removed = $0 { true } else { false } }
            let added = lines[removed.endIndex...].prefix { if case .added = $0 { true } else { false } }
            for (old, new) in zip(removed.indices, added.indices) {
                guard case .removed(let left) = lines[old], case .added(let right) = lines[new] else { continue }
                let texts = [left, right].map { text($0.withoutComma.string) }
                let part = ChangedPart(from: texts[0], to: texts[1])
                (parts[old], parts[new]) = (part.old, part.new)
            }
            index = max(added.endIndex, index + 1)
        }
        return parts
    }
}

/// The words in which two lines differ, between their common beginning and end, as offsets in UTF-8.
struct ChangedPart: Hashable, Sendable {
    let old, new: Range<Int>

    init(from old: String, to new: String) {
        let (left, right) = (Array(old.unicodeScalars), Array(new.unicodeScalars))
        var start = zip(left, right).prefix { $0.0 == $0.1 }.count
        let rest = min(left.count, right.count) - start
        var end = zip(left.reversed(), right.reversed()).prefix { $0.0 == $0.1 }.prefix(rest).count
        // The common beginning and end contain no part of a changed word.
        let isCut = { (text: [Unicode.Scalar], index: Int) in text.indices.contains(index) && text[index].isWordPart }
        while start > 0, left[start - 1].isWordPart, isCut(left, start) || isCut(right, start) { start -= 1 }
        while end > 0, left[left.count - end].isWordPart,
            isCut(left, left.count - end - 1) || isCut(right, right.count - end - 1)
        { end -= 1 }
        let range = { (text: [Unicode.Scalar]) -> Range<Int> in
            let before = text[..<start].reduce(0) { $0 + UTF8.width($1) }
            return before..<before + text[start..<(text.count - end)].reduce(0) { $0 + UTF8.width($1) }
        }
        (self.old, self.new) = (range(left), range(right))
    }
}

extension Unicode.Scalar {
    fileprivate var isWordPart: Bool { !" \",:;()[]{}".unicodeScalars.contains(self) }
}

extension String {
    /// The line for comparisons: a comma is added after the last part of a list when another part follows.
    fileprivate var withoutComma: ExactString {
        utf8.last == UInt8(ascii: ",") ? ExactString(String(Substring(utf8.dropLast()))) : ExactString(self)
    }

    fileprivate func isAmong(_ readings: Set<String>) -> Bool {
        withoutComma.string.reading.map(readings.contains) ?? false
    }
}

/// Two texts that are shown next to each other. If they differ but read the same, because of Unicode normalization or of
/// invisible characters, all characters beyond ASCII become JSON escapes.
///
/// Texts of more than 4,096 bytes stay as they are.
package struct TextPair: Hashable, Sendable {
    package let old, new: String

    package init(_ old: String, _ new: String) {
        let isAlike =
            !old.hasSameScalars(as: new)
            && old.reading.map { old in new.reading.map { old == $0 } ?? false } ?? false
        (self.old, self.new) = isAlike ? (old.withEscapes, new.withEscapes) : (old, new)
    }

    /// Two representations of one thing, short ones if they differ.
    init(_ short: (String, String), orWhole whole: (String, String)) {
        let isEqual = short.0.hasSameScalars(as: short.1)
        self.init(isEqual ? whole.0 : short.0, isEqual ? whole.1 : short.1)
    }

    /// `old → new`.
    var words: String { "\(old) → \(new)" }
}

extension String {
    private static let maximumComparedBytes = 4096

    /// The visible text without quotation marks, which is compared by canonical equivalence; `nil` for a long text.
    var reading: String? {
        // Normalizing a row of combining marks takes time in the square of their number.
        guard utf8.count <= Self.maximumComparedBytes else { return nil }
        var visible = String.UnicodeScalarView()
        for scalar in unicodeScalars where scalar != "\"" && !scalar.properties.isDefaultIgnorableCodePoint {
            visible.append(scalar.properties.generalCategory == .spaceSeparator ? " " : scalar)
        }
        return String(visible)
    }

    var withEscapes: String { unicodeScalars.map { $0.isASCII ? String($0) : $0.jsonEscape }.joined() }
}
