// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

struct VirtualScreenReportTests {
    private static let answers = VirtualScreen.Answers(
        deviceAttributes: "?62;22",
        reportsStatus: true,
        knownModes: [25, 2026, 1049],
        palette: [1: 0xCD0000],
        foreground: 0xE5E5E5,
        background: 0x102030
    )

    private func answer(_ query: String, _ answers: VirtualScreen.Answers = answers) -> String {
        let screen = screen(query, configuration: .init(answers: answers))
        #expect(screen.violations == [])
        return String(decoding: screen.responses, as: UTF8.self)
    }

    @Test(arguments: [
        ("\u{1B}[c", "\u{1B}[?62;22c"), ("\u{1B}[0c", "\u{1B}[?62;22c"), ("\u{1B}Z", "\u{1B}[?62;22c"),
        ("\u{1B}[5n", "\u{1B}[0n"), ("\u{1B}[2;5H\u{1B}[6n", "\u{1B}[2;5R"),
        ("\u{1B}[2;3r\u{1B}[?6h\u{1B}[6n", "\u{1B}[1;1R"),
        ("\u{1B}[?25$p", "\u{1B}[?25;1$y"), ("\u{1B}[?25l\u{1B}[?25$p", "\u{1B}[?25;2$y"),
        ("\u{1B}[?2026$p", "\u{1B}[?2026;2$y"), ("\u{1B}[?1049h\u{1B}[?1049$p", "\u{1B}[?1049;1$y"),
        ("\u{1B}[?2004$p", "\u{1B}[?2004;0$y"),
        ("\u{1B}]4;1;?\u{7}", "\u{1B}]4;1;rgb:cdcd/0000/0000\u{7}"), ("\u{1B}]4;2;?\u{7}", ""),
        ("\u{1B}]10;?\u{1B}\\", "\u{1B}]10;rgb:e5e5/e5e5/e5e5\u{1B}\\"),
        ("\u{1B}]11;?\u{7}", "\u{1B}]11;rgb:1010/2020/3030\u{7}"),
        ("\u{1B}]4;1;#00FF00\u{7}\u{1B}]4;1;?\u{7}", "\u{1B}]4;1;rgb:0000/ffff/0000\u{7}"),
    ])
    func answersAsConfigured(query: String, expected: String) {
        #expect(answer(query) == expected)
    }

    @Test(arguments: [
        "\u{1B}[c", "\u{1B}[6n", "\u{1B}[?25$p", "\u{1B}]4;1;?\u{7}", "\u{1B}]10;?\u{7}", "\u{1B}]11;?\u{7}",
    ])
    func answersNothingOtherwise(query: String) {
        #expect(answer(query, .init()) == "")
    }

    @Test func handsOutEachAnswerOnce() {
        var screen = screen("\u{1B}[5n", configuration: .init(answers: Self.answers))
        #expect(screen.takeResponses() == Array("\u{1B}[0n".utf8))
        #expect(screen.takeResponses() == [])
    }

    @Test func keepsRedefinedColors() {
        let input = "\u{1B}]4;1;rgb:FF/80/00;2;rgb:ffff/8080/0000\u{1B}\\\u{1B}]4;3;rgb:f/8/0\u{7}\u{1B}]P7ABCDEF"
        var screen = screen(input + "x")
        #expect(screen.redefinedColors == [1: 0xFF8000, 2: 0xFF8000, 3: 0xFF8800, 7: 0xABCDEF])
        #expect(screen.text == "x")
        screen.feed("\u{1B}]104;1\u{7}")
        #expect(screen.redefinedColors.keys.sorted() == [2, 3, 7])
        screen.feed("\u{1B}]104\u{7}\u{1B}]110\u{7}\u{1B}]Rx")
        #expect(screen.redefinedColors == [:])
        #expect(screen.violations == [])
    }
}
