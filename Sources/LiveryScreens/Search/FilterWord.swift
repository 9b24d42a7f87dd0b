// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TerminalUI

/// A word to look for in many texts, in any case.
struct FilterWord: Sendable {
    private let bytes: [UInt8]
    private let isASCII: Bool
    /// Whether it can be in JSON only, which sets texts in quotes.
    private let isJSON: Bool

    init(_ word: Substring) {
        bytes = Array(word.lowercased().utf8)
        isASCII = bytes.allSatisfy { $0 < 0x80 }
        isJSON = bytes.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
    }

    /// The words of a text, between spaces.
    static func words(of text: String) -> [FilterWord] {
        text.unicodeScalars.split(separator: " ").map { FilterWord(Substring($0)) }
    }

    func isIn(_ value: EntryValue) -> Bool {
        if case .string(let text) = value, !isJSON { return isIn(text) }
        return isIn(value.canonicalJSON)
    }

    func isIn(_ text: String) -> Bool {
        if isASCII { return place(inBytes: text) != nil }
        // ASCII has no letter of other scripts, and most texts are ASCII.
        return text.utf8.contains { $0 >= 0x80 } && place(inBytes: text.lowercased()) != nil
    }

    /// Where the word is first, as offsets in UTF-8; `nil` if it is not, or if the text has other places in lower case.
    func place(in text: String) -> Range<Int>? {
        if isASCII { return place(inBytes: text) }
        let lowercased = text.lowercased()
        return lowercased.utf8.count == text.utf8.count ? place(inBytes: lowercased) : nil
    }

    private func place(inBytes text: String) -> Range<Int>? {
        var text = text
        return text.withUTF8(place)
    }

    private func place(in text: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        guard let first = bytes.first else { return 0..<0 }
        guard text.count >= bytes.count else { return nil }
        let last = text.count - bytes.count
        var start = 0
        while start <= last {
            if text[start].lowercased == first {
                var length = 1
                while length < bytes.count, text[start + length].lowercased == bytes[length] { length += 1 }
                if length == bytes.count { return start..<start + length }
            }
            start += 1
        }
        return nil
    }
}

extension ListState {
    /// The words that filter the list; none without a filter.
    var words: [FilterWord] { filterText.map(FilterWord.words) ?? [] }
}

extension [FilterWord] {
    /// Whether each word is in a text.
    func areIn(_ text: String) -> Bool { allSatisfy { $0.isIn(text) } }
}

extension UInt8 {
    /// The small letter of a capital in ASCII.
    fileprivate var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}
