// SPDX-License-Identifier: Apache-2.0

import CTerminalGuard
import CTestSupport
import Foundation
import TestSupport
import Testing

@testable import TerminalUI

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A terminal's own side, and the program's in raw mode; the caller closes both.
private func openRawTerminal() throws -> (terminal: Int32, device: TerminalDevice) {
    var name = [CChar](repeating: 0, count: 128)
    let terminal = livery_open_terminal(&name, name.count)
    try #require(terminal >= 0)
    let path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    let device = try TerminalDevice(at: path)
    device.enterRawMode()
    return (terminal, device)
}

struct TerminalDeviceTests {
    /// As the system does it for characters, and for no other keys.
    @Test func controlKeysAreTheSignalsOfTheirCharacters() throws {
        let (terminal, opened) = try openRawTerminal()
        var device = opened
        defer { close(terminal) }
        defer { device.release() }
        func signal(_ character: Character) -> Int32? {
            device.signal(for: Key(.character(character), .control))
        }
        #expect(signal("c") == SIGINT)
        #expect(signal("\\") == SIGQUIT)
        #expect(signal("z") == SIGTSTP)
        #expect(device.signal(for: Key(.character("c"))) == nil)
        for character in "#<: @d3" { #expect(signal(character) == nil, "Ctrl-\(character)") }

        var attributes = termios()
        try #require(tcgetattr(device.descriptor, &attributes) == 0)
        withUnsafeMutableBytes(of: &attributes.c_cc) {
            $0[Int(VINTR)] = UInt8(truncatingIfNeeded: fpathconf(device.descriptor, Int32(_PC_VDISABLE)))
        }
        try #require(tcsetattr(device.descriptor, TCSANOW, &attributes) == 0)
        device.saveAttributes()
        #expect(signal("c") == nil)
        for character in " @" { #expect(signal(character) == nil, "Ctrl-\(character)") }
    }

    /// The last bytes restore the screen: a concurrent resize must not cut them off.
    @Test func writesTheLastBytesThroughSignals() async throws {
        let (terminal, device) = try openRawTerminal()
        defer { close(terminal) }
        defer { device.release() }
        let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 200_000)

        async let writing: Void = onDedicatedThread {
            withInterruptions { device.finish(sending: bytes[...]) }
            // The last output for a reader.
            _ = device.send([UInt8(ascii: "!")])
        }
        let received = try await onDedicatedThread {
            var received: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 1000)
            while received.last != UInt8(ascii: "!") {
                // As slow as a terminal over a thin line.
                _ = poll(nil, 0, 2)
                let count = read(terminal, &buffer, buffer.count)
                guard count > 0 else { break }
                received += buffer[..<count]
            }
            return received.count
        }
        try await writing
        #expect(received == bytes.count + 1)
    }
}

/// The end of a terminal's answers. One test at a time, since a process has one terminal.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct TerminalAnswerTests {
    @Test func answersAreReadToTheirEndAndNoFurther() throws {
        let (terminal, device) = try openRawTerminal()
        defer { close(terminal) }
        defer { device.release() }
        #expect(device.finishAnswers(), "nothing was asked")

        for _ in 0..<2 { lvy_answers_expect() }
        lvy_answers_sent()
        #expect(lvy_answers_are_due() != 0)
        // The beginning of the first answer is read by the program, the rest at its end.
        Self.send("\u{1B}]4;1;rgb:ffff/0000/0000\u{1B}\\\u{1B}[?6", to: terminal)
        guard case .bytes = device.receive() else { return #expect(Bool(false)) }
        Self.send("2;22c\u{1B}[200~\u{1B}[5;-9223372036854775808R\u{1B}[?62;22c", to: terminal)
        // Input before the last answer belongs to the program.
        Self.send("q\u{1B}[?1;2cls\n", to: terminal)
        #expect(device.finishAnswers())
        // The query that the end adds itself.
        var query: [UInt8] = [0, 0, 0]
        #expect(read(terminal, &query, 3) == 3 && query.elementsEqual("\u{1B}[c".utf8))
        #expect(lvy_answers_are_due() == 0)
        guard case .bytes(let typed) = device.receive() else { return #expect(Bool(false)) }
        #expect(String(decoding: typed, as: UTF8.self) == "ls\n")
    }

    /// The time for its answers ends once, whatever is typed; late answers are still read.
    @Test(arguments: [false, true]) func aSilentTerminalIsAskedNothingMore(answersLate: Bool) async throws {
        let (terminal, device) = try openRawTerminal()
        defer { close(terminal) }
        defer { device.release() }
        lvy_answers_expect()
        lvy_answers_sent()
        #expect(lvy_answers_may_be_asked() != 0)
        try await until("the answer to be late") {
            Self.send("\u{1B}[A", to: terminal)
            _ = device.receive()
            return lvy_answers_are_due() == 0
        }
        if answersLate { Self.send("\u{1B}[?62;22c", to: terminal) }
        #expect(!device.finishAnswers())
        #expect(lvy_answers_may_be_asked() == 0)
        Self.send("ls\n", to: terminal)
        #expect(!device.finishAnswers(), "nothing is awaited")
        guard case .bytes(let typed) = device.receive() else { return #expect(Bool(false)) }
        #expect(String(decoding: typed, as: UTF8.self) == "ls\n")
        var query = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
        #expect(poll(&query, 1, 0) == 0, "a query")
    }

    /// As to a terminal that Ctrl-S has stopped.
    @Test func theTimeForAnswersBeginsOnceTheyAreSent() async throws {
        let (terminal, device) = try openRawTerminal()
        defer { close(terminal) }
        defer { device.release() }
        lvy_answers_expect()
        let start = ContinuousClock.now
        try await until("more than the time for answers to pass") { .now - start > .seconds(2.5) }
        #expect(lvy_answers_are_due() != 0 && lvy_answers_may_be_asked() != 0)
        Self.send("\u{1B}[?62;22c\u{1B}[?62;22cls\n", to: terminal)
        #expect(device.finishAnswers())
    }

    /// Answers that another program has read.
    @Test func forgottenAnswersAreNotWaitedFor() throws {
        let (terminal, device) = try openRawTerminal()
        defer { close(terminal) }
        defer { device.release() }
        lvy_answers_expect()
        lvy_answers_sent()
        lvy_answers_forget()
        #expect(lvy_answers_are_due() == 0)
        Self.send("\u{1B}[?62;22cls\n", to: terminal)
        #expect(device.finishAnswers())
        guard case .bytes(let typed) = device.receive() else { return #expect(Bool(false)) }
        #expect(String(decoding: typed, as: UTF8.self) == "ls\n")
    }

    private static func send(_ text: String, to terminal: Int32) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
    }
}

struct FrameOutputTests {
    private static func frame(_ text: String) -> Grid {
        var grid = Grid(4, 1)
        grid.write(text, at: Point(0, 0), style: .plain)
        return grid
    }

    @Test func aFrameThatHasBegunGoesOutWholeInPieces() {
        var output = FrameOutput()
        output.begin([1, 2, 3, 4, 5])
        var written: [UInt8] = []
        for count in [2, 0, 1, 2] {
            #expect(!output.isIdle)
            written += output.next.prefix(count)
            output.wrote(count)
        }
        #expect(written == [1, 2, 3, 4, 5])
        #expect(output.isIdle)
    }

    @Test func ofTheFramesThatWaitOnlyTheNewestFollows() {
        var output = FrameOutput()
        output.begin([1])
        output.hold(Self.frame("old"))
        output.hold(Self.frame("new"))
        #expect(output.waiting == Self.frame("new"))
        #expect(output.dequeue() == Self.frame("new"))
        #expect(output.dequeue() == nil)
    }
}

@MainActor struct TerminfoEntryTests {
    @Test func readsControlsOfEightBitsAsTheyAre() throws {
        let entry = try #require(TerminfoEntry(named: "xterm-8bit"))
        let strings = entry.strings.compactMap(\.self)
        #expect(entry.strings[TerminfoEntry.Place.cursorAddress]?.first == 0x9B)
        #expect(!strings.contains { $0.firstRange(of: Array("\u{FFFD}".utf8)) != nil })
    }
}
