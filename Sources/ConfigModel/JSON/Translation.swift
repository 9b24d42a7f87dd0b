// SPDX-License-Identifier: Apache-2.0

/// A document of another format, rewritten as JSON with one token per line, so that the line of a token leads to its position
/// in the original.
package struct Translation {
    package private(set) var json: [UInt8] = []
    private(set) var places: [TextLocation] = []
    private var needsComma = false

    /// The maximum size of a translation: quotes, line breaks and expanded aliases make it longer than the original.
    private static let maximumBytes = 2 * ConfigDocument.maximumBytes

    package init() {}

    /// Some tokens that make up one value.
    package struct Part {
        fileprivate let bytes: Range<Int>
        fileprivate let places: Range<Int>
    }

    /// The start of the next value.
    package struct Start {
        fileprivate let byte: Int
        fileprivate let place: Int
    }

    package mutating func open(_ bracket: Unicode.Scalar, at place: TextLocation) throws(ConfigError) -> Start {
        let start = begin()
        try append([UInt8(ascii: bracket)], at: place)
        needsComma = false
        return start
    }

    package mutating func close(_ bracket: Unicode.Scalar, at place: TextLocation) throws(ConfigError) {
        try append([UInt8(ascii: bracket)], at: place)
        needsComma = true
    }

    package mutating func key(_ key: String, at place: TextLocation) throws(ConfigError) {
        _ = begin()
        var quoted: [UInt8] = []
        EntryValue.string(key).writeCanonicalJSON(to: &quoted)
        try append(quoted + [UInt8(ascii: ":")], at: place)
        needsComma = false
    }

    /// Writes a scalar of JSON as it is.
    package mutating func scalar(_ json: String, at place: TextLocation) throws(ConfigError) -> Start {
        let start = begin()
        try append(Array(json.utf8), at: place)
        needsComma = true
        return start
    }

    /// The text written since the start of a value.
    package func part(since start: Start) -> Part {
        Part(bytes: start.byte..<json.count, places: start.place..<places.count)
    }

    /// Writes a value once more.
    package mutating func copy(_ part: Part) throws(ConfigError) {
        _ = begin()
        try checkRoom(for: part.bytes.count, at: places[part.places.lowerBound])
        json.append(contentsOf: Array(json[part.bytes]))
        places.append(contentsOf: Array(places[part.places]))
        needsComma = true
    }

    private mutating func begin() -> Start {
        if needsComma { json.append(UInt8(ascii: ",")) }
        return Start(byte: json.count, place: places.count)
    }

    private mutating func append(_ token: [UInt8], at place: TextLocation) throws(ConfigError) {
        try checkRoom(for: token.count + 1, at: place)
        json += token
        json.append(UInt8(ascii: "\n"))
        places.append(place)
    }

    private func checkRoom(for count: Int, at place: TextLocation) throws(ConfigError) {
        guard json.count + count > Self.maximumBytes else { return }
        let message = "the document is too large with its aliases expanded; use fewer aliases"
        throw ConfigError(.tooLarge, message, location: place)
    }
}
