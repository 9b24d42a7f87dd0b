// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The server's end of a connection.
package final class ScriptedConnection: Sendable {
    private let descriptor: OwnedDescriptor
    private let received = Mutex<[UInt8]>([])

    init(_ descriptor: OwnedDescriptor) {
        self.descriptor = descriptor
    }

    /// Sends bytes as they are.
    ///
    /// - Throws: ``SystemError`` once the client has gone, which ends the script.
    package func send(_ bytes: some Sequence<UInt8>) throws(SystemError) {
        try descriptor.sendAll(Array(bytes))
    }

    /// Sends text as UTF-8.
    package func send(_ text: String) throws(SystemError) {
        try send(text.utf8)
    }

    /// Begins an answer of 100,000 bytes, and sends one byte in each interval until the client has gone.
    ///
    /// - Throws: ``SystemError`` then.
    package func drip(every interval: Duration) throws(SystemError) -> Never {
        try send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n")
        while true {
            try send(" ")
            usleep(UInt32(interval / .microseconds(1)))
        }
    }

    /// Sends a whole answer with its length.
    package func respond(
        _ status: String = "200 OK",
        _ fields: [String: String] = [:],
        body: some Collection<UInt8> = []
    ) throws(SystemError) {
        let lines = fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
        try send(Array("HTTP/1.1 \(status)\r\n\(lines)Content-Length: \(body.count)\r\n\r\n".utf8) + body)
    }

    /// Sends a whole answer with its length.
    package func respond(
        _ status: String = "200 OK",
        _ fields: [String: String] = [:],
        _ text: String
    ) throws(SystemError) {
        try respond(status, fields, body: Array(text.utf8))
    }

    /// Waits for what comes after the request; `nil` at the end.
    func receive() -> [UInt8]? {
        let waiting = received.withLock { received in
            defer { received = [] }
            return received
        }
        return waiting.isEmpty ? descriptor.receive() : waiting
    }

    /// Waits until the client closes the connection, and discards its input.
    package func waitForClient() {
        while descriptor.receive() != nil {}
    }

    /// Closes the connection; the client gets what has been sent.
    package func close() {
        descriptor.shutDown()
    }

    /// Drops the connection; the client gets an error.
    package func reset() {
        descriptor.resetOnClose()
        descriptor.shutDown()
    }

    /// The next request; `nil` when the client has disconnected or does not send HTTP.
    func readRequest() -> ScriptedRequest? {
        guard let head = read(through: Array("\r\n\r\n".utf8)) else { return nil }
        let text = String(decoding: head.dropLast(4), as: UTF8.self)
        guard let bare = ScriptedRequest(head: text, body: []) else { return nil }
        if bare["expect"] != nil { try? send("HTTP/1.1 100 Continue\r\n\r\n") }
        guard let length = bare["content-length"].map({ Int($0) ?? 0 }), length > 0 else { return bare }
        return read(count: length).flatMap { ScriptedRequest(head: text, body: $0) }
    }

    private func read(through mark: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        while !bytes.reversed().starts(with: mark.reversed()) {
            guard let next = read(count: 1) else { return nil }
            bytes += next
        }
        return bytes
    }

    private func read(count: Int) -> [UInt8]? {
        while received.withLock(\.count) < count {
            guard let more = descriptor.receive() else { return nil }
            received.withLock { $0 += more }
        }
        return received.withLock { received in
            defer { received.removeFirst(count) }
            return Array(received.prefix(count))
        }
    }
}

/// A request as it came.
package struct ScriptedRequest: Sendable {
    /// The method, such as `GET`.
    package let method: String
    /// The requested target, in the client's notation.
    package let target: String
    /// The header fields in their order; the names are in lower case.
    package let fields: [(name: String, value: String)]
    /// The content.
    package let body: [UInt8]

    /// The value of the first field of a name.
    package subscript(name: String) -> String? {
        fields.first { $0.name == name.lowercased() }?.value
    }

    /// Reads a head without its last, empty line.
    init?(head: String, body: [UInt8]) {
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
        let first = lines.popFirst()?.split(separator: " ") ?? []
        guard first.count == 3 else { return nil }
        method = String(first[0])
        target = String(first[1])
        fields = lines.compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            return (line[..<colon].lowercased(), String(value))
        }
        self.body = body
    }
}
