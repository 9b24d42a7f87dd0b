// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TextPatterns

/// A filter of keys as it is typed: words, each of them in the key or in the value, or a regular expression after `/`.
///
/// The letters of a word match in their order in a key, and all together in a value; with `'` before it, a word matches as a
/// whole only, and with `!`, it must not match.
struct KeyQuery: Sendable {
    let text: String
    private let form: Form

    private enum Form {
        case words([KeyWord], without: [FilterWord])
        case pattern(TextPattern)
        case invalid(PatternError)
    }

    init(_ text: String) {
        self.text = text
        guard text.utf8.first == UInt8(ascii: "/") else {
            let words = text.unicodeScalars.split(separator: " ").map(Substring.init)
            let excluded = words.filter { $0.utf8.first == UInt8(ascii: "!") && $0.utf8.count > 1 }
            form = .words(
                words.filter { $0.utf8.first != UInt8(ascii: "!") }.map(KeyWord.init),
                without: excluded.map { FilterWord(Substring($0.utf8.dropFirst())) }
            )
            return
        }
        do throws(PatternError) {
            form = .pattern(try TextPattern(String(Substring(text.utf8.dropFirst()))))
        } catch {
            form = .invalid(error)
        }
    }

    /// The error of the regular expression.
    var problem: String? {
        if case .invalid(let error) = form { "Invalid regular expression: \(error)" } else { nil }
    }

    /// Whether it is a single letter, which is found faster than anything else.
    var isLetter: Bool { if case .words = form { text.utf8.count == 1 } else { false } }

    /// Whether a key that an earlier query has rejected is rejected by this one too.
    func narrows(_ former: KeyQuery) -> Bool {
        guard case .words(_, let excluded) = form, case .words(_, let formerlyExcluded) = former.form else {
            return false
        }
        return text.utf8.starts(with: former.text.utf8) && excluded.isEmpty && formerlyExcluded.isEmpty
    }

    /// How well a key matches, 0 or more; `nil` if it does not.
    ///
    /// - Parameter work: the cost is added to it, in visits of a regular expression.
    func score(_ key: String, in entries: ConfigEntries, work: inout Int) -> Int? {
        switch form {
        case .words(let words, let excluded):
            var (value, sum) = (EntryValue?.none, 0)
            // A copy of a word counts references, which takes as long as the search.
            for index in words.indices {
                if let score = words[index].score(inKey: key) {
                    sum += score
                } else {
                    value = value ?? entries[key]?.value
                    guard words[index].accepts(value) else { return nil }
                }
            }
            guard !excluded.isEmpty else { return sum }
            value = value ?? entries[key]?.value
            return excluded.contains { word in word.isIn(key) || value.map(word.isIn) == true } ? nil : sum
        case .pattern(let pattern):
            let inKey = pattern.search(key, withinWork: .max)
            work += inKey.work
            if inKey.isMatch == true { return 0 }
            guard let value = entries[key]?.value else { return nil }
            let inValue = pattern.search(value.plainText, withinWork: .max)
            work += inValue.work
            return inValue.isMatch == true ? 0 : nil
        case .invalid: return nil
        }
    }
}

extension KeyQuery {
    /// How well a text matches that is no key, 0 or more; `nil` if it does not.
    func score(ofText text: String) -> Int? {
        var work = 0
        return score(text, in: ConfigEntries(), work: &work)
    }

    /// The parts of a key that match, as offsets in UTF-8, in order.
    func marks(inKey key: String) -> [Range<Int>] {
        switch form {
        case .words(let words, _): Array(RangeSet(words.flatMap { $0.marks(inKey: key) }).ranges)
        case .pattern(let pattern): pattern.firstMatch(in: key).map { [$0] } ?? []
        case .invalid: []
        }
    }

    /// The parts of a shown value that match, if the key does not.
    func marks(inValue text: String, ofKey key: String) -> [Range<Int>] {
        switch form {
        case .words(let words, _):
            Array(RangeSet(words.compactMap { $0.score(inKey: key) == nil ? $0.mark(in: text) : nil }).ranges)
        case .pattern(let pattern):
            pattern.matches(key) ? [] : pattern.firstMatch(in: text).map { [$0] } ?? []
        case .invalid: []
        }
    }
}

/// A word of a filter.
private struct KeyWord: Sendable {
    /// Whether the word is searched in keys as a whole, too.
    private let isWhole: Bool
    private let word: FilterWord
    private let letters: FuzzyPattern

    init(_ text: Substring) {
        isWhole = text.utf8.first == UInt8(ascii: "'")
        let text = isWhole ? Substring(text.utf8.dropFirst()) : text
        (word, letters) = (FilterWord(text), FuzzyPattern(text))
    }

    /// How well the key matches; `nil` if the value decides.
    func score(inKey key: String) -> Int? { !isWhole || word.isIn(key) ? letters.score(in: key) : nil }

    /// Whether the value is that of a match.
    func accepts(_ value: EntryValue?) -> Bool { value.map(word.isIn) ?? false }

    func marks(inKey key: String) -> [Range<Int>] {
        isWhole ? word.place(in: key).map { [$0] } ?? [] : letters.positions(in: key)?.map { $0..<$0 + 1 } ?? []
    }

    func mark(in text: String) -> Range<Int>? { word.place(in: text) }
}
