// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// No answer of the terminal reaches the shell, whenever the program exits and however slow the line is.
@Suite(.timeLimit(.minutes(10)))
struct SlowTerminalTests {
    /// Set `LIVERY_TERMINAL_ROUNDS=300` for a long run.
    private static let rounds = ProcessInfo.processInfo.environment["LIVERY_TERMINAL_ROUNDS"].flatMap { Int($0) } ?? 21
    private static let roundsAtOnce = 8

    @Test func noAnswerReachesTheShell() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for round in 0..<Self.rounds {
                if round >= Self.roundsAtOnce { try await group.next() }
                group.addTask {
                    try await onDedicatedThread {
                        var story = ShellStory(seed: UInt64(round))
                        do { try story.run() } catch { Issue.record("\(story): \(error)") }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

/// A person at a shell on a slow line, who starts the program and leaves it in one of several ways, at once or after some
/// answers have come.
private struct ShellStory: CustomStringConvertible {
    enum Way: CaseIterable { case quit, interrupt, stop, background, terminate, hangUp, fault }
    enum Moment: CaseIterable { case firstFrame, answersOnTheWay, allAnswers }

    private let seed: UInt64
    private let way: Way
    private let moment: Moment
    private let milliseconds: Int
    private let name: String
    private let answers: String
    private let configuration: VirtualScreen.Configuration
    private let intruders: [[UInt8]]
    private let isLate: Bool

    var description: String { "seed \(seed): \(way) at \(moment), \(milliseconds) ms, \(name), \(answers)" }

    init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        self.seed = seed
        way = Way.allCases[Int(seed) % Way.allCases.count]
        moment = Moment.allCases.randomElement(using: &generator) ?? .firstFrame
        let milliseconds = Int.random(in: 1...900, using: &generator)
        let palette = Dictionary(uniqueKeysWithValues: (0..<256).map { ($0, UInt32($0)) })
        let all = VirtualScreen.Answers(
            deviceAttributes: "?62;22",
            reportsStatus: true,
            knownModes: [2026],
            hasKeyboardProtocol: true,
            palette: palette
        )
        name =
            ["xterm-256color", "xterm", "tmux-256color", "screen-256color"].randomElement(using: &generator) ?? "xterm"
        let kind = Int.random(in: 0..<8, using: &generator)
        // GNU screen is asked nothing.
        answers = kind == 0 || name.hasPrefix("screen") ? "no answers" : kind < 3 ? "hostile answers" : "all answers"
        configuration = VirtualScreen.Configuration(answers: kind == 0 ? VirtualScreen.Answers() : all)
        intruders = kind == 1 || kind == 2 ? Self.hostile : []
        // Long after the program has given up waiting for answers.
        isLate = moment == .allAnswers && answers == "all answers" && seed % 2 == 0
        self.milliseconds = isLate ? 2000 + milliseconds : milliseconds
    }

    private static let hostile = [
        "\u{1B}[5;-9223372036854775808R", "\u{1B}[99999999999999999999;1R", "\u{1B}]4;1;rgb:zzzz/0000/0000\u{1B}\\",
        "\u{1B}[?2026;99999999999999999999$y", "\u{1B}[200~", "\u{1B}[<0;99999999999999999999;65535M",
        "\u{1B}[99999999999999999999;9223372036854775807u", "\u{1B}]4;-1;rgb:0/0/0\u{7}",
    ].map { Array($0.utf8) }

    /// The commands of the shell, with job control. Text typed between two programs is its input, up to Ctrl-D.
    private var script: String {
        let program = "\"$0\"; echo \"status $?\""
        let reading =
            """
            trap : INT; \(seed % 2 == 0 ? "trap '' TTOU" : "")
            modes=$(stty -g)
            reads() {
              stty -icanon -echo -isig; echo "shell reads $1"
              IFS= read -r -d $'\\004' text; printf 'shell got %q\\n' "$text"
              stty "$modes"
            }

            """
        switch way {
        case .stop: return reading + program + "; reads 1; fg > /dev/null; echo \"status $?\"; reads 2; exit"
        case .background:
            return reading + program
                + "; reads 1; bg > /dev/null; reads 2; fg > /dev/null; echo \"status $?\"; reads 3; exit"
        default: return reading + program + "; reads 1; exit"
        }
    }

    mutating func run() throws {
        let demo = try RunningDemo(
            terminal: name,
            config: ClusterTests.config,
            configuration: configuration,
            line: SlowLine(seed: seed, latency: .milliseconds(milliseconds), intruders: intruders),
            wrapper: ["bash", "--norc", "-i", "-c", script],
            waitingFor: "Quit"
        )
        let terminal = demo.terminal
        let program = try terminal.foregroundProcessGroup()
        try wait(on: terminal)
        try leave(terminal, program)
        #expect(try input(of: terminal, reader: 1) == "''", "\(self)")

        if way == .background {
            try terminal.readUntil("the shell") { $0.contains("shell reads 2") }
            let start = terminal.bytesReceived.count
            try waitUntilItRunsInTheBackground(program)
            try terminal.write("x")
            #expect(try input(of: terminal, reader: 2) == "x", "\(self)")
            // The program may have drawn since, in the foreground.
            let written = terminal.bytesReceived[start...]
            let text = String(decoding: written, as: UTF8.self)
            #expect(written.starts(with: "shell got x\r\n".utf8), "\(self): \(text)")
        }
        if way == .background || way == .stop {
            try terminal.readUntil("the whole screen") { $0.isAlternate && $0.contains("Quit") }
            try press("q", on: terminal) { $0.contains("status ") && !$0.isAlternate }
            #expect(try input(of: terminal, reader: way == .stop ? 2 : 3) == "''", "\(self)")
        }
        #expect(try terminal.waitForExit() == .exited(0), "\(self)")
        let status = try #require(terminal.screen.text.split(separator: "status ").last).prefix { $0.isNumber }
        #expect(Int(status) == expectedStatus, "\(self): \(terminal.screen)")
        #expect(terminal.screen.title == "" && !terminal.screen.isAlternate, "\(self)")
        #expect(terminal.screen.violations == [], "\(self)")
        #expect(terminal.screen.modes == [VirtualScreen.Mode.autowrap, VirtualScreen.Mode.visibleCursor], "\(self)")
        #expect(terminal.screen.keyboardFlags == 0, "\(self)")
    }

    private func wait(on terminal: PseudoTerminal) throws {
        switch moment {
        case .firstFrame: break
        case .answersOnTheWay:
            if answers != "no answers" { try terminal.beginAnswers() }
        case .allAnswers:
            if isLate { try terminal.beginAnswers() }
            try terminal.finishAnswers()
        }
    }

    private func leave(_ terminal: PseudoTerminal, _ program: pid_t) throws {
        switch way {
        case .quit: try press("q", on: terminal) { $0.contains("shell reads 1") }
        case .interrupt: try terminal.write("\u{3}")
        case .stop, .background: try terminal.write("\u{1A}")
        case .terminate: kill(program, SIGTERM)
        case .hangUp: kill(program, SIGHUP)
        case .fault: kill(program, SIGSEGV)
        }
    }

    private var expectedStatus: Int {
        switch way {
        case .quit, .stop, .background: 0
        case .interrupt: 128 + Int(SIGINT)
        case .terminate: 128 + Int(SIGTERM)
        case .hangUp: 128 + Int(SIGHUP)
        case .fault: 128 + Int(SIGSEGV)
        }
    }

    /// Presses a key, and once more if nothing happens: one that follows an open paste is a part of it for a while.
    private func press(
        _ key: String,
        on terminal: PseudoTerminal,
        until condition: (inout VirtualScreen) -> Bool
    ) throws {
        for _ in 0..<10 {
            try terminal.write(key)
            do {
                return try terminal.readUntil("the effect of \(key)", deadline: .seconds(6), condition)
            } catch let error as WaitError {
                guard !intruders.isEmpty else { throw error }
            }
        }
    }

    /// The input of the shell after all answers have arrived.
    private func input(of terminal: PseudoTerminal, reader: Int) throws -> String {
        try terminal.readUntil("the shell") { $0.contains("shell reads \(reader)") }
        try terminal.finishAnswers()
        try terminal.write("\u{4}")
        // By the bytes: the program may be back on the screen at once.
        var lines: [Substring] = []
        try terminal.readUntil("the shell's input") { [terminal] _ in
            let output = String(decoding: terminal.bytesReceived, as: UTF8.self)
            lines = output.split(separator: "\r\n", omittingEmptySubsequences: false).dropLast()
                .filter { $0.hasPrefix("shell got ") }
            return lines.count >= reader
        }
        return lines.last.map { String($0.dropFirst(10)) } ?? ""
    }
}
