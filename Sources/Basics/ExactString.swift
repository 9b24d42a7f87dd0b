// SPDX-License-Identifier: Apache-2.0

/// A string that is compared and hashed by its UTF-8 bytes.
///
/// Swift's `String` compares by canonical equivalence: to it, U+00E9 and U+0065 U+0301 are equal, and so are `K` and the Kelvin
/// sign U+212A. JSON, URLs and SQL compare scalars. Names from outside are therefore keys of a dictionary, or elements of a
/// set, as `ExactString` only.
@frozen
package struct ExactString: Sendable {
    /// The string.
    package let string: String

    /// Creates an exact string.
    @inlinable
    package init(_ string: String) { self.string = string }
}

extension ExactString: Hashable {
    /// Whether both have the same bytes.
    @inlinable
    package static func == (left: ExactString, right: ExactString) -> Bool {
        left.string.hasSameScalars(as: right.string)
    }

    /// Hashes the bytes.
    @inlinable
    package func hash(into hasher: inout Hasher) {
        let isDone: Void? = string.utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if isDone == nil { Array(string.utf8).withUnsafeBytes { hasher.combine(bytes: $0) } }
    }
}

extension ExactString: Comparable {
    /// Whether the bytes of one come before those of the other.
    @inlinable
    package static func < (left: ExactString, right: ExactString) -> Bool {
        left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
    }
}

extension ExactString: ExpressibleByStringInterpolation {
    /// Creates an exact string from a literal.
    package init(stringLiteral value: String) { self.init(value) }
}

extension ExactString: CustomStringConvertible {
    /// The string.
    package var description: String { string }
}

extension String {
    /// Whether both strings are the same Unicode scalars; to Swift, é in one scalar and in two are equal.
    @inlinable
    package func hasSameScalars(as other: String) -> Bool {
        let count = utf8.count
        guard count == other.utf8.count else { return false }
        // `==` decides on most short strings without a look at memory. For longer ones it may compare the normal forms, which
        // for a row of combining marks takes time in the square of their number.
        if count < 16 { return self == other && (utf8Span.isKnownASCII || utf8.elementsEqual(other.utf8)) }
        let isSame = utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { bytes.span.equals($0.span) }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}

extension Span<UInt8> {
    /// Whether these bytes are the same as others.
    @inlinable
    package func equals(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        var index = 0
        while index + 8 <= count {
            let word = bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
            if word != other.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self) { return false }
            index += 8
        }
        while index < count {
            if self[index] != other[index] { return false }
            index += 1
        }
        return true
    }
}

extension Span<UInt8> {
    /// The number of bytes at the beginning that are the same in others.
    package func commonPrefix(with other: Span<UInt8>) -> Int {
        let limit = Swift.min(count, other.count)
        var index = 0
        while index + 8 <= limit {
            let word = bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
            if word != other.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self) { break }
            index += 8
        }
        while index < limit, self[index] == other[index] { index += 1 }
        return index
    }

    /// The number of bytes at the end that are the same in others, up to a limit that both have.
    package func commonSuffix(with other: Span<UInt8>, atMost limit: Int) -> Int {
        var length = 0
        while length + 8 <= limit {
            let word = bytes.unsafeLoadUnaligned(fromByteOffset: count - length - 8, as: UInt64.self)
            let others = other.bytes.unsafeLoadUnaligned(fromByteOffset: other.count - length - 8, as: UInt64.self)
            if word != others { break }
            length += 8
        }
        while length < limit, self[count - length - 1] == other[other.count - length - 1] { length += 1 }
        return length
    }
}

/// Matches a string in a `switch` by its bytes.
@inlinable
package func ~= (pattern: String, string: String) -> Bool { string.hasSameScalars(as: pattern) }

extension CaseIterable where Self: RawRepresentable, RawValue == String {
    /// The case whose raw value has the same bytes as a name from outside.
    package init?(name: String) {
        guard let known = Self.allCases.first(where: { $0.rawValue.hasSameScalars(as: name) }) else { return nil }
        self = known
    }
}
