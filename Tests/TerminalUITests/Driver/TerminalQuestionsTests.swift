// SPDX-License-Identifier: Apache-2.0

import Basics
import Testing

@testable import TerminalUI

struct TerminalQuestionsTests {
    private static let complete = "\u{1B}[?62;22c"

    private static func replies(_ bytes: String) -> [TerminalReply] {
        InputDecoder.events(of: bytes).compactMap { if case .reply(let reply) = $0 { reply } else { nil } }
    }

    private func answer(_ bytes: String, to questions: inout TerminalQuestions) -> [TerminalQuestions.Answers] {
        Self.replies(bytes).compactMap { questions.receive($0) }
    }

    private static func colors(_ count: Int) -> String {
        (0..<count).map { "\u{1B}]4;\($0);rgb:0\($0 % 10)/aa/bbbb\u{1B}\\" }.joined()
    }

    @Test(arguments: [ColorDepth.ansi8, .ansi16, .indexed256])
    func themeColoursAreQueriedAfterTheFirstAnswer(depth: ColorDepth) throws {
        var questions = TerminalQuestions(depth: depth)
        let first = String(decoding: questions.ask(), as: UTF8.self)
        #expect(!first.contains("]4;") && first.hasSuffix("\u{1B}[c"))
        #expect(questions.ask() == [])
        #expect(answer(Self.complete, to: &questions) == [.features(TerminalQuestions.Features())])
        let second = String(decoding: questions.ask(), as: UTF8.self)
        #expect(second.count { $0 == "?" } == min(depth.rawValue, 16))
        #expect(second.hasPrefix("\u{1B}]4;0;?") && second.hasSuffix("\u{1B}[c"))
        guard case .palette(let palette)? = answer(Self.colors(16) + Self.complete, to: &questions).first else {
            return #expect(Bool(false))
        }
        #expect(palette.entries.map(\.index) == Array(0..<depth.rawValue))
        #expect(palette.entries[7].color == RGBColor(red: 7, green: 0xAA, blue: 0xBB))
        #expect(questions.ask() == [])
    }

    @Test(arguments: [ColorDepth.direct, .monochrome])
    func unneededColorsAreNotQueried(depth: ColorDepth) {
        var questions = TerminalQuestions(depth: depth)
        let first = String(decoding: questions.ask(), as: UTF8.self)
        #expect(first.contains("]11;?") == (depth == .monochrome))
        _ = answer(Self.complete, to: &questions)
        #expect(questions.ask() == [])
    }

    @Test func unsupportedTerminalIsNotQueried() {
        var questions = TerminalQuestions(depth: .indexed256, canBeAsked: false)
        #expect(questions.ask() == [])
    }

    @Test func anIncompleteThemeIsNotUsed() {
        var questions = TerminalQuestions(depth: .indexed256)
        _ = questions.ask()
        _ = answer(Self.complete, to: &questions)
        _ = questions.ask()
        #expect(answer(Self.colors(15) + Self.complete, to: &questions) == [])
    }

    @Test func featuresAreReadFromAnswers() {
        var questions = TerminalQuestions(depth: .monochrome)
        _ = questions.ask()
        let answers = "\u{1B}]11;rgb:ffff/ffff/ffff\u{7}\u{1B}[?2026;2$y\u{1B}[?2027;3$y\u{1B}[?0u" + Self.complete
        let expected = TerminalQuestions.Features(
            hasSynchronizedOutput: true,
            hasKeyboardProtocol: true,
            hasLightGround: true,
            clusterMode: .alwaysOn
        )
        #expect(answer(answers, to: &questions) == [.features(expected)])
    }

    @Test func queriesWithDroppedAnswersAreRepeated() {
        var questions = TerminalQuestions(depth: .indexed256)
        let first = questions.ask()
        questions.startAgain()
        #expect(questions.ask() == first)
        _ = answer(Self.complete, to: &questions)
        let second = questions.ask()
        questions.startAgain()
        #expect(questions.ask() == second)
        _ = answer(Self.complete, to: &questions)
        questions.startAgain()
        #expect(questions.ask() == [])
    }

    /// From a terminal that is broken, or from a file that another program prints.
    @Test(arguments: [
        "\u{1B}[5;-9223372036854775808R", "\u{1B}[5;9223372036854775807R", "\u{1B}[99999999999999999999;1R",
        "\u{1B}[5;0R", "\u{1B}]4;-9223372036854775808;rgb:0/0/0\u{7}", "\u{1B}]4;99999999999999999999;rgb:0/0/0\u{7}",
        "\u{1B}]4;1;rgb:zzzz/0000/0000\u{7}", "\u{1B}]4;1;rgb:-1/-1/-1\u{7}", "\u{1B}]4;16;rgb:0/0/0\u{7}",
        "\u{1B}[?2026;99999999999999999999$y", "\u{1B}[?2027;-9223372036854775808$y", "\u{1B}[?9223372036854775808u",
    ])
    func hostileAnswersChangeNothing(bytes: String) {
        var questions = TerminalQuestions(depth: .indexed256)
        _ = questions.ask()
        _ = answer(bytes, to: &questions)
        let features = answer(Self.complete, to: &questions)
        let withKeys = TerminalQuestions.Features(hasKeyboardProtocol: true)
        #expect(features == [.features(TerminalQuestions.Features())] || features == [.features(withKeys)])
        _ = questions.measureClusters(by: [])
        for _ in 0..<10 { _ = answer(bytes, to: &questions) }
        #expect(answer(Self.complete, to: &questions) == [.clusters([])])
        _ = questions.ask()
        #expect(answer(bytes + Self.complete, to: &questions) == [])
    }
}

struct TerminalModesTests {
    /// The title is on a stack in the terminal, the modes may be sent again.
    @Test func modesMayBeEnteredAgain() {
        var modes = TerminalModes(isXtermLike: true)
        #expect(modes.addKeyboardProtocol() == Array("\u{1B}[=1u".utf8))
        let enter = String(decoding: modes.enter, as: UTF8.self)
        let leave = String(decoding: modes.leave, as: UTF8.self)
        #expect(enter == "\u{1B}[?1002h\u{1B}[?1006h\u{1B}[?1004h\u{1B}[?2004h\u{1B}[=1u")
        #expect(leave == "\u{1B}[=0u\u{1B}[?2004l\u{1B}[?1004l\u{1B}[?1006l\u{1B}[?1002l")
        let plain = TerminalModes(isXtermLike: false)
        #expect(plain.enter + plain.leave + plain.saveTitle + plain.restoreTitle == [])
    }

    /// After a stop without notice, and `fg`, the terminal still has the title on its stack.
    @Test func titleIsSavedOnceBeforeItIsRestored() {
        var modes = TerminalModes(isXtermLike: true)
        modes.title = Array("\u{1B}]2;livery\u{1B}\\".utf8)
        let again = modes.enter + modes.title
        for _ in 0..<2 {
            #expect(modes.enterAll() == modes.saveTitle + again)
            #expect(modes.enterAll() == again)
            #expect(modes.leaveAll == modes.leave + modes.restoreTitle)
            modes.areEntered = false
        }
    }
}
