// SPDX-License-Identifier: Apache-2.0

import Files
import Foundation
import Logging
import Testing

@testable import LiveryServer

struct LogQueueTests {
    private static let full = OutputError(code: ENOSPC)

    private static func queue(capacity: Int = 100) -> LogQueue {
        LogQueue(capacity: capacity) { lost, reason in "lost \(lost): \(reason)" }
    }

    private static func text(_ batch: LogQueue.Batch) -> String { String(decoding: batch.bytes, as: UTF8.self) }

    @Test func linesLeaveInOrder() throws {
        var queue = Self.queue()
        queue.add("a\n".utf8)
        queue.add("b\n".utf8)
        let batch = try queue.batch()
        #expect(Self.text(batch) == "a\nb\n")
        queue.add("c\n".utf8)
        let second = queue.next()
        #expect(second == nil, "one writer at a time")
        queue.end(batch, nil)
        let last = try queue.batch()
        #expect(Self.text(last) == "c\n")
    }

    @Test func lostLinesAreCountedAndReported() throws {
        var queue = Self.queue()
        for line in ["a\n", "b\n"] {
            queue.add(line.utf8)
            queue.end(try queue.batch(), Self.full)
        }
        #expect(queue.lost == 2)
        queue.add("c\n".utf8)
        let batch = try queue.batch()
        #expect(Self.text(batch) == "lost 2: No space left on device\nc\n")
        queue.end(batch, nil)
        #expect(queue.lost == 0)
        let rest = queue.next()
        #expect(rest == nil)
    }

    @Test(arguments: [(0, 5, ""), (3, 5, "\n"), (32, 3, ""), (33, 3, "\n"), (34, 2, ""), (36, 1, "")])
    func partialWriteCountsMissingLines(written: Int, lost: Int, start: String) throws {
        var queue = Self.queue()
        queue.add("a\nb\n".utf8)
        queue.end(try queue.batch(), Self.full)
        for line in ["c\n", "d\n", "e\n"] { queue.add(line.utf8) }
        let batch = try queue.batch()
        #expect(Self.text(batch) == "lost 2: No space left on device\nc\nd\ne\n")
        queue.end(batch, OutputError(code: ENOSPC, written: written))
        #expect(queue.lost == lost)
        queue.add("f\n".utf8)
        let next = try queue.batch()
        #expect(Self.text(next) == "\(start)lost \(lost): No space left on device\nf\n")
    }

    @Test func noMoreWaitsThanThereIsRoomFor() throws {
        var queue = Self.queue(capacity: 6)
        for line in ["aa\n", "bb\n", "cc\n", "dd\n"] { queue.add(line.utf8) }
        #expect(queue.lost == 2)
        let batch = try queue.batch()
        #expect(Self.text(batch) == "lost 2: the log reader is too slow\naa\nbb\n")
    }

    @Test func somebodyIsCalledOnce() throws {
        var queue = Self.queue()
        var calls = [queue.schedule()]
        for line in ["a\n", "b\n"] {
            queue.add(line.utf8)
            calls.append(queue.schedule())
        }
        let batch = try queue.batch()
        queue.add("c\n".utf8)
        // The writer checks again.
        calls.append(queue.schedule())
        queue.end(batch, nil)
        calls.append(queue.schedule())
        #expect(calls == [false, true, false, false, true])
    }
}

@Suite(.timeLimit(.minutes(5)))
struct LogSinkTests {
    init() { StandardStreams.prepare() }

    @Test func stalledReaderBlocksNoOne() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        let sink = LogSink(Output(descriptor: writing), capacity: 10_000) { "lost \($0): \($1)" }
        let line = String(repeating: "x", count: 999)
        // The pipe buffers 64 KiB, the sink 10 kB, and another writer may be at 10 kB more.
        for _ in 0..<200 { sink.write(line) }
        Thread.detachNewThread {
            sink.flush(within: .seconds(50))
            sink.write("the last")
            sink.flush(within: .seconds(50))
            close(writing)
        }
        let text = String(decoding: FileHandle(fileDescriptor: reading).readDataToEndOfFile(), as: UTF8.self)
        close(reading)
        let lines = text.split(separator: "\n")
        let losses = lines.compactMap { $0.firstMatch(of: /lost (\d+): the log reader/).flatMap { Int($0.1) } }
        let lost = losses.reduce(0, +)
        #expect(lost > 0)
        #expect(lines.count { $0 == line } + lost == 200)
        #expect(lines.last == "the last")
    }

    @Test func aFileGetsAllLinesInOrder() throws {
        let file = try #require(tmpfile())
        defer { fclose(file) }
        let sink = LogSink(Output(descriptor: fileno(file))) { "lost \($0): \($1)" }
        for number in 0..<1000 { sink.write("line \(number)") }
        sink.flush(within: .seconds(50))
        let handle = FileHandle(fileDescriptor: fileno(file))
        try handle.seek(toOffset: 0)
        let text = String(decoding: handle.readDataToEndOfFile(), as: UTF8.self)
        #expect(text == (0..<1000).map { "line \($0)\n" }.joined())
    }

    /// A full disk, and a reader that has closed its end.
    @Test(arguments: ["No space left on device", "Broken pipe"])
    func refusedLinesAreCountedAndReportedLater(reason: String) throws {
        var ends: [Int32] = [-1, open("/dev/full", O_WRONLY)]
        if reason == "Broken pipe" {
            close(ends[1])
            try #require(pipe(&ends) == 0)
            close(ends[0])
        }
        defer { close(ends[1]) }
        let file = try #require(tmpfile())
        defer { fclose(file) }
        let sink = LogSink(Output(descriptor: ends[1])) { "lost \($0): \($1)" }
        for number in 0..<1000 { sink.write("line \(number)") }
        sink.flush(within: .seconds(50))
        try #require(dup2(fileno(file), ends[1]) == ends[1])
        sink.write("the last")
        sink.flush(within: .seconds(50))
        let handle = FileHandle(fileDescriptor: fileno(file))
        try handle.seek(toOffset: 0)
        let text = String(decoding: handle.readDataToEndOfFile(), as: UTF8.self)
        #expect(text == "lost 1000: \(reason)\nthe last\n")
    }

    /// Names of tokens reach the log, so no name may look like another field or another line.
    @Test func valuesCannotForgeFieldsOrLines() {
        let metadata = [("author", "eve count=9 author=\"root\" \\"), ("key", "a\u{1B}[31m\tb\nc"), ("n", "1")]
        let line = LogFormat.text.line(.notice, "audit\nforged", metadata)
        let fields = #" author="eve count=9 author=\"root\" \\" key="a\u001b[31m\u0009b\u000ac" n=1"#
        #expect(line.hasSuffix(" notice audit\\u000aforged" + fields), "\(line)")
    }
}

extension LogQueue {
    /// The next batch, which there has to be.
    fileprivate mutating func batch() throws -> Batch {
        let batch = next()
        return try #require(batch)
    }
}
