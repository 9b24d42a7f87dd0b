// SPDX-License-Identifier: Apache-2.0

// A path consists of bytes that need not be UTF-8. Its text contains each byte outside valid UTF-8 as one scalar, U+10FF00 plus
// the byte, as Python does with surrogates (PEP 383). If the bytes themselves encode such a scalar, its bytes are represented
// the same way, so that each path has exactly one text, and each text leads back to its bytes.

extension String {
    /// Creates the text of a path, or of a command-line argument, from its bytes.
    package init(pathBytes bytes: some Collection<UInt8>) {
        if let text = String(validating: bytes, as: UTF8.self), !text.carriesBytes {
            self = text
            return
        }
        self = ""
        var rest = Array(bytes)[...]
        while let first = rest.first {
            var (parser, iterator) = (Unicode.UTF8.ForwardParser(), rest.makeIterator())
            if case .valid(let encoded) = parser.parseScalar(from: &iterator) {
                let scalar = Unicode.UTF8.decode(encoded)
                if scalar.carriedByte == nil {
                    unicodeScalars.append(scalar)
                    rest.removeFirst(encoded.count)
                    continue
                }
            }
            unicodeScalars.append(Unicode.Scalar(carrying: first))
            rest.removeFirst()
        }
    }

    /// Creates the text of a path, or of a command-line argument, from a string of C.
    package init(path: UnsafePointer<CChar>) {
        var count = 0
        while path[count] != 0 { count += 1 }
        self.init(pathBytes: UnsafeBufferPointer(start: path, count: count).lazy.map(UInt8.init(bitPattern:)))
    }

    /// The bytes of the path that the text names: its UTF-8, with the carried bytes in their place.
    package var pathBytes: [UInt8] {
        guard carriesBytes else { return Array(utf8) }
        return unicodeScalars.flatMap { scalar in scalar.carriedByte.map { [$0] } ?? Array(String(scalar).utf8) }
    }

    /// Whether the text has bytes that are not UTF-8: it names a file then, and cannot be shown as it is.
    package var carriesBytes: Bool {
        // Each scalar that carries a byte begins with this one.
        utf8.contains(0xF4) && unicodeScalars.contains { $0.carriedByte != nil }
    }

    /// Calls a function of C with the path's bytes.
    package func withPathBytes<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        guard carriesBytes else { return withCString(body) }
        let bytes = pathBytes.map(CChar.init(bitPattern:)) + [0]
        return bytes.withUnsafeBufferPointer { buffer in buffer.baseAddress.map(body) } ?? withCString(body)
    }
}

extension Unicode.Scalar {
    private static let firstCarrier: UInt32 = 0x10_FF80

    /// The scalar that carries a byte from 128 on.
    fileprivate init(carrying byte: UInt8) {
        self = Unicode.Scalar(Self.firstCarrier - 0x80 + UInt32(byte)) ?? "\u{FFFD}"
    }

    /// The byte that the scalar carries; `nil` for all but 128 scalars.
    package var carriedByte: UInt8? { value < Self.firstCarrier ? nil : UInt8(truncatingIfNeeded: value) }
}
