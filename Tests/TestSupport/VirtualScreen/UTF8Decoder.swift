// SPDX-License-Identifier: Apache-2.0

/// Decodes UTF-8 byte by byte, strictly: no overlong forms, no surrogates, nothing beyond U+10FFFF.
struct UTF8Decoder: Sendable {
    enum Result: Equatable {
        case incomplete
        case scalar(Unicode.Scalar)
        /// Not UTF-8. The byte that showed it is part of the invalid bytes, or must be read again.
        case invalid(isByteUsed: Bool)
    }

    private var value: UInt32 = 0
    private var remaining = 0
    /// Allowed values of the next byte, which for some first bytes are fewer than all continuations.
    private var allowed: ClosedRange<UInt8> = 0x80...0xBF

    mutating func decode(_ byte: UInt8) -> Result {
        if remaining == 0 { return begin(byte) }
        guard allowed.contains(byte) else {
            remaining = 0
            return .invalid(isByteUsed: false)
        }
        allowed = 0x80...0xBF
        value = value << 6 | UInt32(byte & 0x3F)
        remaining -= 1
        if remaining > 0 { return .incomplete }
        return Unicode.Scalar(value).map(Result.scalar) ?? .invalid(isByteUsed: true)
    }

    private mutating func begin(_ byte: UInt8) -> Result {
        switch byte {
        case 0..<0x80:
            return .scalar(Unicode.Scalar(byte))
        case 0xC2...0xDF:
            (value, remaining, allowed) = (UInt32(byte & 0x1F), 1, 0x80...0xBF)
        case 0xE0...0xEF:
            let least: UInt8 = byte == 0xE0 ? 0xA0 : 0x80
            (value, remaining, allowed) = (UInt32(byte & 0x0F), 2, least...(byte == 0xED ? 0x9F : 0xBF))
        case 0xF0...0xF4:
            let least: UInt8 = byte == 0xF0 ? 0x90 : 0x80
            (value, remaining, allowed) = (UInt32(byte & 0x07), 3, least...(byte == 0xF4 ? 0x8F : 0xBF))
        default:
            return .invalid(isByteUsed: true)
        }
        return .incomplete
    }
}
