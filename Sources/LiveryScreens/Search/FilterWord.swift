// SPDX-License-Identifier: Apache-2.0

import ConfigModel

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
        if isASCII {
            return text.utf8.withContiguousStorageIfAvailable(isIn) ?? Array(text.utf8).withUnsafeBufferPointer(isIn)
        }
        // ASCII has no letter of other scripts, and most texts are ASCII.
        return text.utf8.contains { $0 >= 0x80 } && Array(text.lowercased().utf8).withUnsafeBufferPointer(isIn)
    }

    private func isIn(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = bytes.first, text.count >= bytes.count else { return bytes.isEmpty }
        let last = text.count - bytes.count
        var start = 0
        while start <= last {
            if text[start].lowercased == first {
                var length = 1
                while length < bytes.count, text[start + length].lowercased == bytes[length] { length += 1 }
                if length == bytes.count { return true }
            }
            start += 1
        }
        return false
    }
}

extension UInt8 {
    /// The small letter of a capital in ASCII.
    fileprivate var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}
