// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A connection to an HTTP server on this machine whose every byte the test controls, valid or not.
///
/// It blocks, so use it on a separate thread (``onDedicatedThread(_:)``).
package final class WireConnection {
    private let descriptor: OwnedDescriptor
    private var received: [UInt8] = []
    /// Whether the server has ended the connection.
    package private(set) var isEnded = false
    /// The reading rate of the client; unlimited by default.
    package var bytesPerSecond: Int?

    package init(port: Int) throws {
        descriptor = try OwnedDescriptor.connected(to: port)
    }

    /// Sends bytes as they are. What the server does not take any more is dropped.
    package func send(_ text: String) {
        send(Array(text.utf8))
    }

    /// Sends bytes as they are. What the server does not take any more is dropped.
    package func send(_ bytes: [UInt8]) {
        try? descriptor.sendAll(bytes)
    }

    /// Closes the sending side, and continues to read.
    package func endSending() {
        descriptor.shutDownSending()
    }

    /// Makes the kernel keep little of what the server sends, for a client that reads slowly or not at all.
    ///
    /// - Parameter size: how many bytes; the kernel keeps about twice as much.
    package func shrinkReceiveBuffer(to size: Int = 4096) {
        var size = Int32(size)
        setsockopt(descriptor.number, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Reads the next answer.
    ///
    /// - Parameter hasBody: `false` for the answer to `HEAD`.
    package func response(hasBody: Bool = true, within seconds: Double = 60) throws -> WireResponse {
        let head = try text(until: "\r\n\r\n", within: seconds)
        var response = try WireResponse(head: head)
        guard hasBody, response.status != 304, response.status != 204, response.status >= 200 else { return response }
        if let length = response["content-length"].flatMap({ Int($0) }) {
            response.body = try take(length, within: seconds)
        } else if response["transfer-encoding"] == "chunked", response["content-type"]?.hasPrefix("text/event-") != true
        {
            while let chunk = try chunk(within: seconds) { response.body += chunk }
        }
        return response
    }

    /// Reads the next chunk of a body; `nil` at its end.
    package func chunk(within seconds: Double = 60) throws -> [UInt8]? {
        // "\r\n" is one character.
        let size = Int(try text(until: "\r\n", within: seconds).dropLast(), radix: 16) ?? 0
        let bytes = try take(size + 2, within: seconds)
        return size == 0 ? nil : Array(bytes.dropLast(2))
    }

    /// Reads until the server ends the connection.
    package func rest(within seconds: Double = 60) -> [UInt8] {
        while (try? fill(within: seconds)) != nil {}
        defer { received = [] }
        return received
    }

    /// Waits for bytes, and takes all that have come; `nil` once the server has ended the connection.
    ///
    /// - Throws: ``FixtureError`` if the server is silent.
    package func bytes(within seconds: Double = 60) throws -> [UInt8]? {
        if received.isEmpty {
            do { try fill(within: seconds) } catch  where isEnded { return nil }
        }
        defer { received = [] }
        return received
    }

    /// Waits for bytes and leaves them where they are; `nil` once the server has ended the connection.
    package func peek(within seconds: Double = 60) throws -> Int? {
        if received.isEmpty {
            do { try fill(within: seconds) } catch  where isEnded { return nil }
        }
        return received.count
    }

    private func text(until end: String, within seconds: Double) throws -> String {
        let end = Array(end.utf8)
        while true {
            if let range = received.firstRange(of: end) {
                let text = String(decoding: received[..<range.upperBound], as: UTF8.self)
                received.removeSubrange(..<range.upperBound)
                return text
            }
            try fill(within: seconds)
        }
    }

    private func take(_ count: Int, within seconds: Double) throws -> [UInt8] {
        while received.count < count { try fill(within: seconds) }
        defer { received.removeFirst(count) }
        return Array(received.prefix(count))
    }

    private func fill(within seconds: Double) throws {
        if isEnded { throw FixtureError("the server has ended the connection; output: \(shown)") }
        guard try hasNews(within: seconds) else { throw FixtureError("silence; before: \(shown)") }
        guard let bytes = receive() else {
            isEnded = true
            throw FixtureError("the server has ended the connection; output: \(shown)")
        }
        received += bytes
    }

    /// Waits for some bytes. A slow client pauses after each few of them.
    private func receive() -> [UInt8]? {
        guard let bytesPerSecond else { return descriptor.receive(atMost: 65_536) }
        let bytes = descriptor.receive(atMost: max(1, bytesPerSecond / 20))
        _ = poll(nil, 0, 50)
        return bytes
    }

    /// Waits without reading until the server has reset the connection, and returns whether it has.
    package func isReset(within seconds: Double) -> Bool {
        (try? hasNews(0, within: seconds)) ?? false
    }

    /// Listens for a time, and returns whether nothing was received.
    package func isQuiet(for seconds: Double) -> Bool {
        received.isEmpty && (try? hasNews(within: seconds)) == false
    }

    /// Waits until there is something to read, or the connection has ended.
    private func hasNews(_ events: Int32 = POLLIN, within seconds: Double) throws(SystemError) -> Bool {
        var wait = [pollfd(fd: descriptor.number, events: Int16(events), revents: 0)]
        return try waitForEvents(on: &wait, until: Deadline(after: .seconds(seconds)))
    }

    private var shown: String { String(decoding: received.prefix(500), as: UTF8.self) }
}

/// An answer of an HTTP server.
package struct WireResponse: Sendable {
    /// The status.
    package var status: Int
    /// The fields, with names in lower case, in order.
    package var fields: [(name: String, value: String)] = []
    /// The body.
    package var body: [UInt8] = []

    init(head: String) throws {
        var lines = head.split(separator: "\r\n")
        let words = lines.removeFirst().split(separator: " ")
        guard words.count >= 2, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
            throw FixtureError("this is no answer: \(head)")
        }
        self.status = status
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { throw FixtureError("this is no field: \(line)") }
            fields.append((parts[0].lowercased(), String(parts[1].drop { $0 == " " })))
        }
    }

    /// The first value of a field.
    package subscript(name: String) -> String? {
        fields.first { $0.name == name }?.value
    }

    /// The body as text.
    package var text: String { String(decoding: body, as: UTF8.self) }
}
