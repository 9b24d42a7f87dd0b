// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// Encodes values as CBOR by the core deterministic encoding (RFC 8949, section 4.2.1), for results that must be the same
/// everywhere.
///
/// A number without a fraction in [−2^63, 2^64 − 1] is an integer. A text of the same scalars has the same bytes.
struct DeterministicCBOR {
    private(set) var bytes: [UInt8] = []

    /// The most significant bits of an item's first byte.
    private enum Major: UInt8 {
        case unsigned = 0x00
        case negative = 0x20
        case text = 0x60
        case array = 0x80
        case map = 0xa0
    }

    /// The hash of the encoding.
    var hash: UInt32 { bytes.withUnsafeBytes(MurmurHash3.hash) }

    init(_ value: EntryValue) {
        append(value)
    }

    /// The hash of the encoding of `[first, second]`, which is what most evaluations need: if both are short, it is written to
    /// the stack.
    static func hash(ofPair first: String, _ second: String) -> UInt32 {
        let (firstCount, secondCount) = (first.utf8.count, second.utf8.count)
        guard firstCount < 256, secondCount < 256 else {
            return DeterministicCBOR(.array([.string(first), .string(second)])).hash
        }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 5 + firstCount + secondCount) { buffer in
            buffer.initializeElement(at: 0, to: Major.array.rawValue | 2)
            let end = write(second, to: buffer, at: write(first, to: buffer, at: 1))
            return MurmurHash3.hash(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: buffer[..<end])))
        }
    }

    /// Writes a text of less than 256 bytes.
    ///
    /// - Returns: The end of its encoding.
    private static func write(_ text: String, to buffer: UnsafeMutableBufferPointer<UInt8>, at start: Int) -> Int {
        let (count, major) = (UInt8(text.utf8.count), Major.text.rawValue)
        let head = count < 24 ? 1 : 2
        buffer.initializeElement(at: start, to: major | (head == 1 ? count : 24))
        if head == 2 { buffer.initializeElement(at: start + 1, to: count) }
        return buffer[(start + head)...].initialize(fromContentsOf: text.utf8)
    }

    // The recursion is bounded by the depth of a value.
    private mutating func append(_ value: EntryValue) {
        switch value {
        case .null: bytes.append(0xf6)
        case .boolean(let flag): bytes.append(flag ? 0xf5 : 0xf4)
        case .integer(let number): append(number)
        case .double(let number): append(number)
        case .string(let text): append(text)
        case .array(let elements):
            head(.array, UInt64(elements.count))
            for element in elements { append(element) }
        case .object(let members):
            head(.map, UInt64(members.count))
            // A shorter name has a smaller first byte.
            let order: (EntryObject.Member, EntryObject.Member) -> Bool = { left, right in
                let (leftCount, rightCount) = (left.key.utf8.count, right.key.utf8.count)
                if leftCount != rightCount { return leftCount < rightCount }
                return left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
            }
            for (name, value) in members.sorted(by: order) {
                append(name)
                append(value)
            }
        }
    }

    private mutating func append(_ number: Int) {
        if number < 0 { head(.negative, UInt64(-(number + 1))) } else { head(.unsigned, UInt64(number)) }
    }

    private mutating func append(_ number: Double) {
        if let unsigned = UInt64(exactly: number) { return head(.unsigned, unsigned) }
        if let signed = Int64(exactly: number) { return append(Int(signed)) }
        guard number.isFinite else { return append(0xf9, UInt16(number.isNaN ? 0x7e00 : number < 0 ? 0xfc00 : 0x7c00)) }
        guard Double(Float(number)) == number else { return append(0xfb, number.bitPattern) }
        guard let half = Float(number).halfBits else { return append(0xfa, Float(number).bitPattern) }
        append(0xf9, half)
    }

    private mutating func append(_ text: String) {
        head(.text, UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func head(_ major: Major, _ argument: UInt64) {
        Self.writeHead(major, argument) { bytes.append($0) }
    }

    private static func writeHead(_ major: Major, _ argument: UInt64, _ write: (UInt8) -> Void) {
        switch argument {
        case 0..<24: write(major.rawValue | UInt8(argument))
        case ...0xff: Self.write(major.rawValue | 24, UInt8(argument), write)
        case ...0xffff: Self.write(major.rawValue | 25, UInt16(argument), write)
        case ...0xffff_ffff: Self.write(major.rawValue | 26, UInt32(argument), write)
        default: Self.write(major.rawValue | 27, argument, write)
        }
    }

    private mutating func append(_ first: UInt8, _ argument: some FixedWidthInteger) {
        Self.write(first, argument) { bytes.append($0) }
    }

    private static func write(_ first: UInt8, _ argument: some FixedWidthInteger, _ write: (UInt8) -> Void) {
        write(first)
        withUnsafeBytes(of: argument.bigEndian) { for byte in $0 { write(byte) } }
    }
}

extension Float {
    /// The bits of the same number as a half-precision one (IEEE 754 binary16), if there is one. `Float16` is not on every
    /// machine.
    fileprivate var halfBits: UInt16? {
        let sign = UInt16(bitPattern >> 16) & 0x8000
        let (exponent, fraction) = (Int(exponentBitPattern) - 127, significandBitPattern)
        if exponent >= -14 && exponent <= 15 {
            guard fraction & 0x1fff == 0 else { return nil }
            return sign | UInt16(exponent + 15) << 10 | UInt16(fraction >> 13)
        }
        // Below 2^-14 a half has no leading one, and the steps are of 2^-24.
        guard exponent >= -24 && exponent < -14 else { return nil }
        let significand = fraction | 0x80_0000
        let shift = UInt32(-exponent - 1)
        guard significand & ((1 << shift) - 1) == 0 else { return nil }
        return sign | UInt16(significand >> shift)
    }
}
