// SPDX-License-Identifier: Apache-2.0

/// The names in a property list of XML, of which Foundation keeps one where two are canonically equal, such as é in one scalar
/// and in two.
struct PropertyListNames {
    private var rest: ArraySlice<UInt8>

    /// The first name that a dictionary has twice; `nil` if there is none.
    ///
    /// - Parameter bytes: A property list in UTF-8. A binary one, which is written from a dictionary, has no such names.
    static func repeated(in bytes: [UInt8]) -> String? {
        if bytes.starts(with: "bplist".utf8) { return nil }
        var names = PropertyListNames(rest: bytes[...])
        return names.firstRepeated()
    }

    private mutating func firstRepeated() -> String? {
        // The names of the dictionaries around the place.
        var seen: [Set<String>] = []
        while take(through: "<") != nil {
            if take("!--") {
                _ = take(through: "-->")
                continue
            } else if take("![CDATA[") {
                _ = take(through: "]]>")
                continue
            }
            guard let tag = take(through: ">"), !tag.hasSuffix("/") else { continue }
            switch tag.prefix(while: { !$0.isWhitespace }) {
            case "dict": seen.append([])
            case "/dict": _ = seen.popLast()
            case "key" where !seen.isEmpty:
                let name = takeName()
                // By canonical equivalence, as Foundation compares.
                if !seen[seen.count - 1].insert(name).inserted { return name }
            default: break
            }
        }
        return nil
    }

    /// The name up to its end tag, however its characters are written.
    private mutating func takeName() -> String {
        var name = ""
        while let text = take(through: "<") {
            name += Self.decoded(text)
            guard take("![CDATA["), let data = take(through: "]]>") else { break }
            name += data
        }
        return name
    }

    private static let entities: [Substring: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
    ]

    /// A text whose references, such as `&amp;` and `&#233;`, are replaced by their characters.
    private static func decoded(_ text: String) -> String {
        let parts = text.unicodeScalars.split(separator: "&", omittingEmptySubsequences: false)
        var decoded = String.UnicodeScalarView(parts[0])
        for part in parts.dropFirst() {
            let name = Substring(part.prefix { $0 != ";" })
            let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
            let scalar = name.hasPrefix("#") ? number.flatMap(Unicode.Scalar.init) : nil
            if let scalar = entities[name] ?? scalar { decoded.append(scalar) }
            decoded.append(contentsOf: part.dropFirst(name.unicodeScalars.count + 1))
        }
        return String(decoded)
    }

    private mutating func take(_ text: StaticString) -> Bool {
        let bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard rest.starts(with: bytes) else { return false }
        rest.removeFirst(bytes.count)
        return true
    }

    /// The text before another one, which is taken as well; `nil` if that does not follow.
    private mutating func take(through end: StaticString) -> String? {
        let start = rest
        while !rest.isEmpty {
            let text = start[..<rest.startIndex]
            if take(end) { return String(decoding: text, as: UTF8.self) }
            rest.removeFirst()
        }
        return nil
    }
}
