// SPDX-License-Identifier: Apache-2.0

import FuzzKit

@testable import HTTPTransport

extension FuzzTarget {
    /// Event streams. The first two bytes say how large a line may be, and how the stream is cut.
    ///
    /// The events are independent of how the bytes are divided, and equal those of a direct reading of the standard.
    static let events = FuzzTarget("events") { bytes in
        var input = FuzzInput(bytes)
        let maximum = input.byte() < 128 ? 1 << 20 : 24
        let length = Int(input.byte()) + 1
        let stream = Array(input.rest)
        let whole = StreamReading(of: [stream[...]], maximumBytes: maximum)
        for length in [1, length] {
            let cut = StreamReading(of: stream.pieces(of: length), maximumBytes: maximum)
            require(cut.isSame(as: whole), "in pieces of \(length): \(cut), whole: \(whole)")
        }
        guard let events = whole.events else { return }
        require(events == PlainEventReader.events(in: stream), "\(events) of \(stream)")
        require(events.allSatisfy { $0.data.utf8.count <= maximum * 3 }, "too much data")
    }
}

/// The result of parsing a stream.
private struct StreamReading {
    /// `nil` if something was too large.
    var events: [ServerSentEvent]?
    var parser: EventStreamParser

    init(of pieces: [ArraySlice<UInt8>], maximumBytes: Int) {
        parser = EventStreamParser(maximumBytes: maximumBytes)
        var events: [ServerSentEvent] = []
        do {
            for piece in pieces { events += try parser.events(in: piece) }
            self.events = events
        } catch {
            self.events = nil
        }
    }

    /// The rest of a parser's state is meaningless after it has rejected a stream.
    func isSame(as other: StreamReading) -> Bool {
        events == other.events
            && (events == nil || (parser.retry == other.parser.retry && parser.lastEventID == other.parser.lastEventID))
    }
}

/// Reads a whole stream line by line, as the HTML Living Standard, section 9.2.6, specifies.
private enum PlainEventReader {
    static func events(in stream: [UInt8]) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        var (name, data, id, nextID) = ("", [UInt8](), "", "")
        for line in lines(of: stream) {
            if line.isEmpty {
                id = nextID
                if !data.isEmpty {
                    let text = String(decoding: data.dropLast(), as: UTF8.self)
                    events.append(ServerSentEvent(name: name.isEmpty ? "message" : name, data: text, id: id))
                }
                (name, data) = ("", [])
                continue
            }
            let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
            var value = parts.count == 2 ? parts[1] : []
            if value.first == UInt8(ascii: " ") { value.removeFirst() }
            switch String(decoding: parts[0], as: UTF8.self) {
            case "event": name = String(decoding: value, as: UTF8.self)
            case "data": data += value + [UInt8(ascii: "\n")]
            case "id" where !value.contains(0): nextID = String(decoding: value, as: UTF8.self)
            default: break
            }
        }
        return events
    }

    /// The lines that have an end.
    private static func lines(of stream: [UInt8]) -> [ArraySlice<UInt8>] {
        var rest = stream[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        var lines: [ArraySlice<UInt8>] = []
        while let end = rest.firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
            lines.append(rest[..<end])
            let isPair = rest[end...].starts(with: [UInt8(ascii: "\r"), UInt8(ascii: "\n")])
            rest = rest[end...].dropFirst(isPair ? 2 : 1)
        }
        return lines
    }
}
