// SPDX-License-Identifier: Apache-2.0

package import Basics

/// An event of a stream (HTML Living Standard, section 9.2).
package struct ServerSentEvent: Hashable, Sendable {
    /// The kind of event; `message` where the stream names none.
    package var name = "message"
    /// The content; its lines are joined by line feeds.
    package var data: String
    /// The last id that the stream has given, for `Last-Event-ID`; empty if none.
    var id = ""
}

/// Reads a `text/event-stream` from pieces of any size.
///
/// An incomplete event at the end of the stream is dropped with the parser.
package struct EventStreamParser: Sendable {
    /// The default maximum size of a line and of an event's data, in bytes.
    package static let usualMaximum = 16 * 1024 * 1024
    /// The stream's interval before a reconnect.
    package private(set) var retry: Duration?

    private let maximumBytes: Int
    private(set) var lastEventID = ""

    private var line: [UInt8] = []
    private var name = ""
    private var data: [UInt8] = []
    private var hasData = false
    private var nextID = ""
    /// Whether the last byte was a return.
    private var isAfterReturn = false
    private var isFirstLine = true

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// - Parameter maximumBytes: the maximum size of a line and of an event's data, in bytes.
    package init(maximumBytes: Int = Self.usualMaximum) { self.maximumBytes = maximumBytes }

    /// - Returns: the events that the bytes complete, in order.
    /// - Throws: `tooLarge`; the parser is of no use after that.
    package mutating func events(in bytes: some Collection<UInt8>) throws(OperationFailure) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
            try append(rest[..<end])
            let isReturn = rest[end] == UInt8(ascii: "\r")
            // A line feed right after a return belongs to it.
            let isSecond = !isReturn && isAfterReturn
            if !isSecond, let event = try endLine() { events.append(event) }
            isAfterReturn = isReturn
            rest = rest[end...].dropFirst()
        }
        try append(rest)
        return events
    }

    private mutating func append(_ bytes: some Collection<UInt8>) throws(OperationFailure) {
        if bytes.isEmpty { return }
        isAfterReturn = false
        line += bytes
        if line.count > maximumBytes { throw tooLarge("a line") }
    }

    private func tooLarge(_ what: String) -> OperationFailure {
        OperationFailure(.tooLarge, "\(what) of the event stream is larger than \(maximumBytes) bytes")
    }

    private mutating func endLine() throws(OperationFailure) -> ServerSentEvent? {
        defer { line.removeAll(keepingCapacity: line.capacity <= 65_536) }
        if isFirstLine, line.starts(with: Self.byteOrderMark) { line.removeFirst(Self.byteOrderMark.count) }
        isFirstLine = false
        if line.isEmpty { return dispatch() }
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
        var value = colon.map { line[($0 + 1)...] } ?? []
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        try setField(String(decoding: line[..<(colon ?? line.endIndex)], as: UTF8.self), to: value)
        return nil
    }

    private mutating func setField(_ field: String, to value: ArraySlice<UInt8>) throws(OperationFailure) {
        switch field {
        case "event":
            name = String(decoding: value, as: UTF8.self)
        case "data":
            if hasData { data.append(UInt8(ascii: "\n")) }
            hasData = true
            data += value
            if data.count > maximumBytes { throw tooLarge("an event") }
        case "id" where !value.contains(0):
            nextID = String(decoding: value, as: UTF8.self)
        case "retry" where !value.isEmpty && value.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }:
            retry = Int64(String(decoding: value, as: UTF8.self)).map { .milliseconds($0) } ?? retry
        default:
            break
        }
    }

    private mutating func dispatch() -> ServerSentEvent? {
        lastEventID = nextID
        defer { (name, data, hasData) = ("", [], false) }
        guard hasData else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        return ServerSentEvent(name: name.isEmpty ? "message" : name, data: text, id: lastEventID)
    }
}
