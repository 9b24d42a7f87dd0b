// SPDX-License-Identifier: Apache-2.0

import Basics
import TestSupport
import Testing

@testable import HTTPTransport

struct EventStreamParserTests {
    private func parse(_ text: String) throws -> [ServerSentEvent] {
        var parser = EventStreamParser()
        return try parser.events(in: Array(text.utf8))
    }

    private static let a = [ServerSentEvent(data: "a")]
    private static let aWithID = [ServerSentEvent(data: "a", id: "1")]

    private static let cases: [(text: String, events: [ServerSentEvent])] = [
        ("", []), ("\n\n\n", []), ("data: a", []), ("data: a\n", []), ("DATA: a\n data: b\ndata : c\n\n", []),
        ("data: a\n\n", a), ("data: a\r\r", a), ("data: a\r\n\r\n", a), ("data: a\r\n\n", a), ("data: a\n\r\n", a),
        ("data: a\n\ndata: b\n", a), (": a comment\n:\n\ndata:a\n\n", a), ("event:\ndata: a\n\n", a),
        ("event: x\n\ndata: a\n\n", a), ("\u{FEFF}data: a\n\n", a), ("\u{FEFF}\u{FEFF}data: a\n\n", []),
        ("data: a\n\n\u{FEFF}data: b\n\n", a), ("data: a\ndata: b\n\n", [ServerSentEvent(data: "a\nb")]),
        ("data\n\n", [ServerSentEvent(data: "")]), ("data\ndata\n\n", [ServerSentEvent(data: "\n")]),
        ("data:\n\n", [ServerSentEvent(data: "")]), ("data:  a \n\n", [ServerSentEvent(data: " a ")]),
        ("data: a:b\n\n", [ServerSentEvent(data: "a:b")]),
        ("event: x\ndata: a\n\ndata: b\n\n", [ServerSentEvent(name: "x", data: "a"), ServerSentEvent(data: "b")]),
        ("id: 1\ndata: a\n\ndata: b\n\n", aWithID + [ServerSentEvent(data: "b", id: "1")]),
        ("id: 1\n\ndata: a\n\n", aWithID), ("id: 1\nid: 2\u{0}\ndata: a\n\n", aWithID),
        ("id: 1\ndata: a\n\nid\ndata: b\n\n", aWithID + [ServerSentEvent(data: "b")]),
        ("data: \u{00E9}\u{1F600}\n\n", [ServerSentEvent(data: "\u{00E9}\u{1F600}")]),
    ]

    @Test(arguments: cases) func readsAsTheStandardSpecifies(_ text: String, _ events: [ServerSentEvent]) throws {
        #expect(try parse(text) == events)
    }

    @Test(arguments: [
        ("retry: 1500\n", Duration.milliseconds(1500)), ("retry: 0\n", .zero), ("retry: 1.5\n", nil),
        ("retry: -1\n", nil),
        ("retry\n", nil), ("retry: 7\nretry: x\n", .milliseconds(7)), ("retry: 99999999999999999999\n", nil),
    ]) func retryIsANumberOfMilliseconds(_ text: String, _ retry: Duration?) throws {
        var parser = EventStreamParser()
        _ = try parser.events(in: Array(text.utf8))
        #expect(parser.retry == retry)
    }

    @Test func linesAndEventsHaveALimit() throws {
        var parser = EventStreamParser(maximumBytes: 100)
        let line = Array("data: ".utf8) + [UInt8](repeating: 65, count: 94)
        #expect(try parser.events(in: line + Array("\n\n".utf8)).count == 1)
        #expect(throws: OperationFailure.self) { try parser.events(in: line + [65]) }
        var other = EventStreamParser(maximumBytes: 100)
        #expect(throws: OperationFailure.self) {
            try other.events(in: line + Array("\n".utf8) + line + Array("\n".utf8))
        }
    }

    /// The pieces of a malformed stream.
    private static let pieces = ["\r", "\n", ":", " ", "x", "data", "id", "event", "\u{0}", "\u{FEFF}"].map {
        Array($0.utf8)
    }

    @Test func longerStreamsAreReadTheSameHoweverTheyAreCut() throws {
        var random = SeededGenerator(seed: 42)
        let pieces =
            Self.pieces
            + ["data: a\n", "\n\n", "\r\n", "id:1\n", "event: e\n", "retry: 5\n", "\u{1F600}"].map { Array($0.utf8) }
        for _ in 0..<12_000 {
            let stream = (0..<Int.random(in: 1...30, using: &random)).flatMap { _ in
                pieces.randomElement(using: &random) ?? []
            }
            var parser = EventStreamParser()
            var rest = stream[...]
            var events: [ServerSentEvent] = []
            while !rest.isEmpty {
                let count = Int.random(in: 0...min(9, rest.count), using: &random)
                events += try parser.events(in: rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            #expect(events == PlainEventStream.events(of: stream))
        }
    }
}

/// Reads a whole stream in the plainest way: first lines, then fields.
private enum PlainEventStream {
    static func events(of stream: [UInt8]) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        var name: [UInt8] = []
        var data: [[UInt8]] = []
        var id: [UInt8] = []
        for line in lines(of: stream) {
            if line.isEmpty {
                if !data.isEmpty {
                    let text = String(decoding: Array(data.joined(separator: [10])), as: UTF8.self)
                    let kind = name.isEmpty ? "message" : String(decoding: name, as: UTF8.self)
                    events.append(ServerSentEvent(name: kind, data: text, id: String(decoding: id, as: UTF8.self)))
                }
                name = []
                data = []
            }
            if let value = value(of: dataField, in: line) { data.append(value) }
            if let value = value(of: eventField, in: line) { name = value }
            if let value = value(of: idField, in: line), !value.contains(0) { id = value }
        }
        return events
    }

    private static let dataField = Array("data".utf8)
    private static let eventField = Array("event".utf8)
    private static let idField = Array("id".utf8)

    private static func value(of field: [UInt8], in line: [UInt8]) -> [UInt8]? {
        if line == field { return [] }
        guard line.count > field.count, line[field.count] == 58 else { return nil }
        for index in field.indices where line[index] != field[index] { return nil }
        let value = Array(line[(field.count + 1)...])
        return value.first == 32 ? Array(value.dropFirst()) : value
    }

    /// The lines that have an end.
    private static func lines(of stream: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var line: [UInt8] = []
        var index = stream.count >= 3 && stream[0] == 0xEF && stream[1] == 0xBB && stream[2] == 0xBF ? 3 : 0
        while index < stream.count {
            if stream[index] == 10 || stream[index] == 13 {
                lines.append(line)
                line = []
                if stream[index] == 13, index + 1 < stream.count, stream[index + 1] == 10 { index += 1 }
            } else {
                line.append(stream[index])
            }
            index += 1
        }
        return lines
    }
}
