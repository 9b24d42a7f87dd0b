// SPDX-License-Identifier: Apache-2.0

extension UInt8 {
    /// Whether this is one of the ASCII characters `0`–`9`.
    @inlinable
    package var isDigit: Bool { UInt8(ascii: "0") <= self && self <= UInt8(ascii: "9") }

    /// Whether this is one of the ASCII characters `a`–`z`.
    @inlinable
    package var isSmallLetter: Bool { UInt8(ascii: "a") <= self && self <= UInt8(ascii: "z") }

    /// Whether this is one of the ASCII characters `a`–`z` and `A`–`Z`.
    @inlinable
    package var isLetter: Bool { (self | 0x20).isSmallLetter }

    /// Whether this may be in the name of an HTTP field, which is a token (RFC 9110, 5.6.2).
    package var isOfFieldName: Bool { isLetter || isDigit || "!#$%&'*+-.^_`|~".utf8.contains(self) }
}
