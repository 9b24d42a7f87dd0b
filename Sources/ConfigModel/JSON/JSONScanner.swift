// SPDX-License-Identifier: Apache-2.0

/// Reads the tokens of RFC 8259 from UTF-8 and knows its place in the text.
/// Foundation's decoder reports neither the place of an error nor a duplicate key, and turns `1` into `true` on request.
package struct JSONScanner {
    package let bytes: [UInt8]
    package internal(set) var offset = 0
    private let isASCII: Bool
    /// The limits of values.
    package var limits = ValueLimits.entries
    private var line = 1
    /// The column of `columnOffset`, kept so that each byte is counted once even in a file of one line.
    private var column = 1
    private var columnOffset = 0
    /// The place of each line in the text that this one is a translation of.
    private var places: [TextLocation]?

    /// Scans a translation; errors have positions in the original text.
    init(_ translation: Translation) throws(ConfigError) {
        try self.init(translation.json)
        places = translation.places
    }

    /// - Throws: `syntax` if the bytes are not UTF-8. A byte-order mark is skipped.
    package init(_ bytes: [UInt8]) throws(ConfigError) {
        self.bytes = bytes
        let invalid: Int?
        do {
            (isASCII, invalid) = (try UTF8Span(validating: bytes.span).isKnownASCII, nil)
        } catch {
            (isASCII, invalid) = (false, error.byteOffsets.lowerBound)
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            offset = 3
            columnOffset = 3
        }
        if let invalid {
            while offset < invalid { advance() }
            throw error(.syntax, "invalid UTF-8; save the file in UTF-8")
        }
    }

    /// Scans a part of a text whose rest is UTF-8.
    ///
    /// - Throws: `syntax` if the part is not UTF-8.
    init(_ bytes: [UInt8], from start: Place, to end: Int) throws(ConfigError) {
        self.bytes = bytes
        do {
            isASCII = try UTF8Span(validating: bytes.span.extracting(start.offset..<end)).isKnownASCII
        } catch {
            throw ConfigError(.syntax, "invalid UTF-8")
        }
        (offset, line) = (start.offset, start.location.line)
        (column, columnOffset) = (start.location.column, offset)
    }

    /// `nil` at the end.
    package var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    package var location: TextLocation {
        mutating get {
            if let places, let last = places.last { return line <= places.count ? places[line - 1] : last }
            column += isASCII ? offset - columnOffset : scalarCount(from: columnOffset)
            columnOffset = offset
            return TextLocation(line: line, column: column)
        }
    }

    /// The position in the text; it can be reset.
    package var position: Position {
        get { Position(offset: offset, line: line, column: column, columnOffset: columnOffset) }
        set {
            (offset, line, column, columnOffset) = (
                newValue.offset, newValue.line, newValue.column, newValue.columnOffset
            )
        }
    }

    package struct Position {
        fileprivate let offset, line, column, columnOffset: Int
    }

    /// A place in a text, with its line and column.
    struct Place: Sendable {
        var offset: Int
        var location: TextLocation
    }

    var place: Place {
        mutating get { Place(offset: offset, location: location) }
    }

    private func scalarCount(from start: Int) -> Int {
        // Continuation bytes do not start a scalar.
        bytes[start..<offset].reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
    }

    package mutating func advance() {
        if bytes[offset] == UInt8(ascii: "\n") {
            line += 1
            column = 1
            columnOffset = offset + 1
        }
        offset += 1
    }

    package mutating func skipWhitespace() {
        var end = offset
        while end < bytes.count {
            switch bytes[end] {
            case 0x20, 0x09, 0x0D: end += 1
            case 0x0A:
                end += 1
                line += 1
                (column, columnOffset) = (1, end)
            default:
                offset = end
                return
            }
        }
        offset = end
    }

    /// Skips white space and the byte, if the byte is next.
    package mutating func skip(_ expected: Unicode.Scalar) -> Bool {
        skipWhitespace()
        guard let byte = current, byte == UInt8(ascii: expected) else { return false }
        offset += 1
        return true
    }

    package mutating func expect(_ expected: Unicode.Scalar, _ purpose: String) throws(ConfigError) {
        guard skip(expected) else { throw unexpected("'\(expected)' \(purpose)") }
    }

    /// The end of the plain characters of a string: a quotation mark, a backslash, a control character, or the end of the text.
    var endOfPlainText: Int {
        let bytes = bytes.span.bytes
        var end = offset
        // Most bytes of a document are read here: eight at a time.
        while end + 8 <= bytes.byteCount {
            let word = UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: end, as: UInt64.self))
            let marks = word.bytesBelow0x20 | word.bytesEqual(to: 0x22) | word.bytesEqual(to: 0x5C)
            if marks != 0 { return end + marks.trailingZeroBitCount / 8 }
            end += 8
        }
        while end < bytes.byteCount {
            let byte = bytes.unsafeLoad(fromByteOffset: end, as: UInt8.self)
            if byte < 0x20 || byte == 0x22 || byte == 0x5C { break }
            end += 1
        }
        return end
    }

    package mutating func read(while isWanted: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = offset
        while let byte = current, isWanted(byte) { offset += 1 }
        return bytes[start..<offset]
    }
}

/// The lowest byte with its high bit set in the result is the first one that is looked for; bits above it may be wrong.
extension UInt64 {
    private static let each: UInt64 = 0x0101_0101_0101_0101
    private static let highBits = each << 7

    fileprivate var bytesBelow0x20: UInt64 { (self &- Self.each &* 0x20) & ~self & Self.highBits }

    func bytesEqual(to byte: UInt64) -> UInt64 {
        let difference = self ^ Self.each &* byte
        return (difference &- Self.each) & ~difference & Self.highBits
    }
}

// The texts of JSON that does not parse, each with its place. Those of one place alone are where they are thrown.
extension JSONScanner {
    /// An error at the current place.
    package mutating func error(_ code: ConfigError.Code, _ message: String) -> ConfigError {
        ConfigError(code, message, location: location)
    }

    package mutating func unexpected(_ expectation: String) -> ConfigError {
        guard let byte = current else {
            return error(.syntax, "unexpected end of input; expected \(expectation)")
        }
        let isPrintable = (0x21...0x7E).contains(byte)
        let found = isPrintable ? "'\(Unicode.Scalar(byte))'" : "another character"
        return error(.syntax, "expected \(expectation), found \(found)")
    }

    package mutating func unknownMember(_ name: String, known: [String]) -> ConfigError {
        let shown = name.excerpt(ofScalars: 64)
        let names = known.map { "'\($0)'" }.joined(separator: ", ")
        return error(.syntax, "unknown member '\(shown)'; expected one of \(names)")
    }

    mutating func loneSurrogate() -> ConfigError {
        error(.syntax, "unpaired surrogate; escape a character beyond U+FFFF as a pair, e.g. \\ud83d\\ude38")
    }
}

extension ConfigError {
    /// The same error with its source and the line of its place.
    func naming(source: String, ofText text: [UInt8]) -> ConfigError {
        var error = naming(source: source)
        error.excerpt = location.map { Excerpt(of: text, at: $0) }
        return error
    }
}
