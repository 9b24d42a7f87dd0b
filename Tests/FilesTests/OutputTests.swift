// SPDX-License-Identifier: Apache-2.0

import Files
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct OutputTests {
    init() { StandardStreams.prepare() }

    /// A pipe whose ends are closed with the test.
    private final class Pipe {
        let reading: Int32
        let writing: Int32

        init() throws {
            var ends: [Int32] = [-1, -1]
            try #require(pipe(&ends) == 0)
            (reading, writing) = (ends[0], ends[1])
        }

        deinit {
            close(reading)
            close(writing)
        }
    }

    @Test func outputArrivesComplete() throws {
        let pipe = try Pipe()
        try Output(descriptor: pipe.writing).write("naïve 😸\n")
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = read(pipe.reading, &buffer, buffer.count)
        #expect(String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self) == "naïve 😸\n")
    }

    @Test func aFullDiskIsAnError() throws {
        let descriptor = open("/dev/full", O_WRONLY)
        defer { close(descriptor) }
        let error = #expect(throws: OutputError.self) { try Output(descriptor: descriptor).write("x") }
        #expect(error == OutputError(code: ENOSPC))
        #expect(error?.reason == "No space left on device")
        Output(descriptor: descriptor).writeLine("nobody reads it")
    }

    @Test func aDeadReaderIsAnErrorAndNoSignal() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        close(ends[0])
        defer { close(ends[1]) }
        let output = Output(descriptor: ends[1])
        #expect(output.takesBytesNow)
        let error = #expect(throws: OutputError.self) { try output.write("x") }
        #expect(error?.isBrokenPipe == true)
    }

    @Test(arguments: [false, true])
    func aSlowReaderIsWaitedFor(isNonBlocking: Bool) throws {
        let pipe = try Pipe()
        if isNonBlocking { _ = fcntl(pipe.writing, F_SETFL, fcntl(pipe.writing, F_GETFL) | O_NONBLOCK) }
        let expected = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let (reading, writing) = (pipe.reading, pipe.writing)
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            try? Output(descriptor: writing).write(expected)
            done.signal()
        }
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 7_919)
        while received.count < expected.count {
            let count = read(reading, &buffer, buffer.count)
            guard count > 0 else { break }
            received += buffer.prefix(count)
        }
        done.wait()
        #expect(received == expected)
    }

    /// A file is ready at all times, and its disk may still be slow.
    @Test func onlyPipesAndSocketsTakeBytesNow() throws {
        let file = try #require(tmpfile())
        defer { fclose(file) }
        #expect(!Output(descriptor: fileno(file)).takesBytesNow)
        var ends: [Int32] = [-1, -1]
        #if canImport(Glibc)
            let type = Int32(SOCK_STREAM.rawValue)
        #else
            let type = SOCK_STREAM
        #endif
        try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        #expect(Output(descriptor: ends[0]).takesBytesNow)
        #expect(!Output(descriptor: 9999).takesBytesNow)
    }

    @Test func aFullPipeTakesNothingNow() throws {
        let pipe = try Pipe()
        _ = fcntl(pipe.writing, F_SETFL, fcntl(pipe.writing, F_GETFL) | O_NONBLOCK)
        #expect(Output(descriptor: pipe.writing).takesBytesNow)
        let block = [UInt8](repeating: 0, count: 4096)
        while write(pipe.writing, block, block.count) > 0 {}
        #expect(!Output(descriptor: pipe.writing).takesBytesNow)
    }
}
