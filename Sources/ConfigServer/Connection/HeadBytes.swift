// SPDX-License-Identifier: Apache-2.0

internal import Basics
internal import NIOCore

/// The bytes of a request's head, without the digits of `Content-Length`, by which it is recognized before another body.
struct HeadBytes {
    /// Longer bodies are decoded.
    private static let maximumBody = 4096

    private let beginning: ByteBuffer
    /// The bytes behind the digits; `nil` if the head announces no body.
    private let end: ByteBuffer?

    /// - Parameter bytes: a whole request as the decoder has taken it. The result is `nil` unless the length that its head announces
    ///   leads to the last of them: then the decoder buffers none.
    init?(ofRequest bytes: ByteBuffer) {
        let bytes = bytes.readableBytesView
        guard let head = Self.head(of: bytes) else { return nil }
        let lengths = Self.lengths(in: head)
        // A request without a body needs no type: its head is that of no other one.
        guard let length = lengths.first, head.endIndex != bytes.endIndex else {
            guard head.endIndex == bytes.endIndex else { return nil }
            // Copies, since the buffer is larger and is read into again.
            (beginning, end) = (ByteBuffer(bytes: head), nil)
            return
        }
        guard lengths.count == 1, let (count, digits) = Self.number(at: length, in: head),
            head[digits] == UInt8(ascii: "\r"), head.endIndex + count == bytes.endIndex
        else { return nil }
        (beginning, end) = (ByteBuffer(bytes: head[..<length]), ByteBuffer(bytes: head[digits...]))
    }

    /// Removes a request with this head from the beginning of bytes, if all of it is there.
    ///
    /// - Returns: its body.
    func removeRequest(from bytes: inout ByteBuffer) -> ByteBuffer? {
        var rest = bytes
        guard rest.readSlice(length: beginning.readableBytes) == beginning else { return nil }
        var body: ByteBuffer? = ByteBuffer()
        if let end {
            let view = rest.readableBytesView
            guard let (count, digits) = Self.number(at: view.startIndex, in: view), count > 0 else { return nil }
            rest.moveReaderIndex(to: digits)
            guard rest.readSlice(length: end.readableBytes) == end else { return nil }
            body = rest.readSlice(length: count)
        }
        if body != nil { bytes = rest }
        return body
    }

    /// The bytes to the first empty line, that included; `nil` where a line does not end with CR and LF.
    private static func head(of bytes: ByteBufferView) -> ByteBufferView? {
        var last = UInt8(ascii: "\n")
        var isEmptyLine = false
        for index in bytes.indices {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\n") {
                guard last == UInt8(ascii: "\r") else { return nil }
                if isEmptyLine { return bytes[...index] }
                isEmptyLine = true
            } else if byte != UInt8(ascii: "\r") {
                isEmptyLine = false
            }
            last = byte
        }
        return nil
    }

    /// The places of the values of `Content-Length`.
    private static func lengths(in head: ByteBufferView) -> [Int] {
        let name = "\ncontent-length:".utf8
        return head.indices.compactMap { index in
            guard head[index] == UInt8(ascii: "\n"),
                zip(head[index...], name).allSatisfy({ $0 | 0x20 == $1 | 0x20 }), head.endIndex - index > name.count
            else { return nil }
            return head[(index + name.count)...].firstIndex { $0 != UInt8(ascii: " ") }
        }
    }

    /// A number of bytes that a body may have, written in one way only, and the place behind it.
    private static func number(at start: Int, in bytes: ByteBufferView) -> (Int, end: Int)? {
        let digits = bytes[start...].prefix { $0.isDigit }
        guard (1...4).contains(digits.count), digits.first != UInt8(ascii: "0") || digits.count == 1 else { return nil }
        let count = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return count <= maximumBody ? (count, digits.endIndex) : nil
    }
}
