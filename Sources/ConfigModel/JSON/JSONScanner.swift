/// Reads the tokens of RFC 8259 from UTF-8 and knows its place in the text.
/// Foundation's decoder reports neither the place of an error nor a duplicate key, and turns `1` into `true` on request.
package struct JSONScanner {
    package let bytes: [UInt8]
    package private(set) var offset = 0
    private var line = 1
    /// The column of `columnOffset`, kept so that each byte is counted once even in a file of one line.
    private var column = 1
    private var columnOffset = 0

    /// - Throws: `syntax` if the bytes are not UTF-8. A byte-order mark is skipped.
    package init(_ bytes: [UInt8]) throws(ConfigError) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            offset = 3
            columnOffset = 3
        }
        if let invalid = Self.firstInvalidByte(in: bytes) {
            while offset < invalid { advance() }
            throw error(.syntax, "invalid UTF-8; save the file in UTF-8")
        }
    }

    private static func firstInvalidByte(in bytes: [UInt8]) -> Int? {
        do {
            _ = try UTF8Span(validating: bytes.span)
            return nil
        } catch {
            return error.byteOffsets.lowerBound
        }
    }

    /// `nil` at the end.
    package var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    package var location: TextLocation {
        mutating get {
            // Continuation bytes do not start a scalar.
            column += bytes[columnOffset..<offset].reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
            columnOffset = offset
            return TextLocation(line: line, column: column)
        }
    }

    package mutating func error(_ code: ConfigError.Code, _ message: String) -> ConfigError {
        ConfigError(code, message, location: location)
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
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { advance() }
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

    package mutating func unexpected(_ expectation: String) -> ConfigError {
        guard let byte = current else {
            return error(.syntax, "the text ends where \(expectation) should follow")
        }
        let isPrintable = (0x21...0x7E).contains(byte)
        let found = isPrintable ? "'\(Unicode.Scalar(byte))'" : "something else"
        return error(.syntax, "expected \(expectation), found \(found)")
    }

    /// Skips the plain characters of a string.
    mutating func skipPlainText() {
        let bytes = bytes
        let span = bytes.span
        var end = offset
        while end < span.count {
            // Within the bounds by the line above; most bytes of a document are read here.
            let byte = span[unchecked: end]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            end += 1
        }
        offset = end
    }

    package mutating func read(while isWanted: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = offset
        while let byte = current, isWanted(byte) { offset += 1 }
        return bytes[start..<offset]
    }
}
