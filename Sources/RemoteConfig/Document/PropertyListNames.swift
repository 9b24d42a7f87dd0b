// SPDX-License-Identifier: Apache-2.0

/// The names in a property list of XML, of which Foundation keeps one where two are canonically equal, such as é in one scalar
/// and in two.
struct PropertyListNames {
    private var rest: ArraySlice<UInt8>

    /// The first name that a dictionary has twice; `nil` if there is none.
    ///
    /// - Parameter bytes: A property list in UTF-8. A binary one, which is written from a dictionary, has no such names.
    static func repeated(in bytes: [UInt8]) -> String? {
        var names = PropertyListNames(rest: bytes[...])
        return names.firstRepeated()
    }

    private mutating func firstRepeated() -> String? {
        // The names of the dictionaries around the place.
        var seen: [Set<String>] = []
        while skip(past: "<") {
            if take("!--") {
                _ = skip(past: "-->")
            } else if take("![CDATA[") {
                _ = skip(past: "]]>")
            } else if take("dict>") {
                seen.append([])
            } else if take("/dict>") {
                _ = seen.popLast()
            } else if take("key>"), !seen.isEmpty {
                let name = String(decoding: rest.prefix { $0 != UInt8(ascii: "<") }, as: UTF8.self)
                // By canonical equivalence, as Foundation compares.
                if !seen[seen.count - 1].insert(name).inserted { return name }
            }
        }
        return nil
    }

    private mutating func take(_ text: StaticString) -> Bool {
        let bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard rest.starts(with: bytes) else { return false }
        rest.removeFirst(bytes.count)
        return true
    }

    private mutating func skip(past text: StaticString) -> Bool {
        while !rest.isEmpty {
            if take(text) { return true }
            rest.removeFirst()
        }
        return false
    }
}
