// SPDX-License-Identifier: Apache-2.0

import FuzzKit

@testable import TestSupport

extension FuzzTarget {
    /// The input of a client on one connection, before it closes its half. The first byte selects how it is divided.
    ///
    /// The server answers with whole answers of HTTP/1.1, none of which is its own failure, and then ends the connection at
    /// once: after ten seconds of silence there is a finding.
    static let http = FuzzTarget("http") { bytes in
        var input = FuzzInput(bytes)
        let choice = input.byte()
        let sent = Array(input.rest)
        guard let connection = try? OwnedDescriptor.connected(to: LoopbackServer.port) else {
            return require(false, "the server takes no connection")
        }
        // Otherwise each of them would occupy a port for a minute.
        connection.resetOnClose()
        let length = choice.isMultiple(of: 2) ? sent.count : Int(choice) * 8
        for piece in sent.pieces(of: length) { try? connection.sendAll(Array(piece)) }
        connection.shutDownSending()
        var received: [UInt8] = []
        while let bytes = connection.receive() { received += bytes }
        requireSound(received, to: sent)
    }

    private static func requireSound(_ received: [UInt8], to sent: [UInt8]) {
        var reader = AnswerReader(received, requests: sent)
        var count = 0
        while !reader.isAtEnd {
            guard let status = reader.next() else {
                return require(reader.isCutOff, "no answer: \(String(decoding: received, as: UTF8.self))")
            }
            require((100..<600).contains(status) && status != 500, "the server failed with \(status)")
            count += 1
        }
        // A request takes at least "A / HTTP/1.1" and an empty line, or is malformed and the last.
        require(count <= sent.count / 8 + 2, "\(count) answers to \(sent.count) bytes")
    }
}

/// Reads responses from the bytes of a connection.
private struct AnswerReader {
    private var rest: ArraySlice<UInt8>
    /// Whether an answer without the body that it announces may be one to `HEAD`.
    private let mayOmitBodies: Bool
    /// Whether the rest is the beginning of a response: a stream that ended with the connection.
    private(set) var isCutOff = false

    init(_ bytes: [UInt8], requests: [UInt8]) {
        rest = bytes[...]
        mayOmitBodies = requests.firstRange(of: Array("HEAD".utf8)) != nil
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// The status of the next answer, which is passed over; `nil` if there is none.
    mutating func next() -> Int? {
        guard let end = rest.firstRange(of: Array("\r\n\r\n".utf8)),
            let head = try? WireResponse(head: String(decoding: rest[..<end.lowerBound], as: UTF8.self))
        else { return nil }
        rest = rest[end.upperBound...]
        let hasBody = head.status >= 200 && head.status != 204 && head.status != 304
        guard hasBody, !(mayOmitBodies && (rest.isEmpty || rest.starts(with: "HTTP/1.1 ".utf8))) else {
            return head.status
        }
        if head["transfer-encoding"] == "chunked" {
            isCutOff = head["content-type"]?.hasPrefix("text/event-stream") ?? false
            while let isLast = takeChunk() { if isLast { return head.status } }
            return nil
        }
        guard let length = head["content-length"].flatMap({ Int($0) }), length <= rest.count else { return nil }
        rest = rest.dropFirst(length)
        return head.status
    }

    /// - Returns: whether it was the last chunk; `nil` if there is no whole one.
    private mutating func takeChunk() -> Bool? {
        guard let end = rest.firstRange(of: Array("\r\n".utf8)),
            let size = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16),
            rest[end.upperBound...].count >= size + 2
        else { return nil }
        rest = rest[end.upperBound...].dropFirst(size)
        guard rest.starts(with: "\r\n".utf8) else { return nil }
        rest = rest.dropFirst(2)
        return size == 0
    }
}
