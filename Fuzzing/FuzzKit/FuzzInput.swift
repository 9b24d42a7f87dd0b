// SPDX-License-Identifier: Apache-2.0

/// The bytes of an input, of which the first decide how the others are used.
package struct FuzzInput {
    /// The remaining input.
    package private(set) var rest: ArraySlice<UInt8>

    /// Creates an input of all bytes.
    package init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    /// Removes a byte; 0 at the end.
    package mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// Removes a number below a bound, of one byte or two.
    package mutating func number(below bound: Int) -> Int {
        let number = bound > 256 ? Int(byte()) << 8 | Int(byte()) : Int(byte())
        return number % max(bound, 1)
    }

    /// Removes bytes; the first one is their number.
    package mutating func short() -> [UInt8] { take(Int(byte())) }

    /// Removes a number of bytes, or all.
    package mutating func take(_ count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}

extension [UInt8] {
    /// The bytes in pieces, for what must not mind how bytes arrive: of the given length, the last may be shorter.
    package func pieces(of length: Int) -> [ArraySlice<UInt8>] {
        let step = Swift.max(length, 1)
        return stride(from: 0, to: count, by: step).map { self[$0..<Swift.min($0 + step, count)] }
    }
}
