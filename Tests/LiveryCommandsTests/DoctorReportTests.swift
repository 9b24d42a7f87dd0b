// SPDX-License-Identifier: Apache-2.0

import TerminalUI
import Testing

@testable import LiveryCommands

@MainActor
struct DoctorReportTests {
    @Test func consequencesFollowFromTheTerminal() {
        func report(_ environment: [String: String], _ choice: ColorChoice = .auto) -> String {
            let profile = TerminalProfile(choice: choice, environment: environment)
            return DoctorReport(profile: profile, repertoire: .unicode, isTerminal: true).text
        }
        let light = report(["TERM": "xterm", "COLORFGBG": "0;15"], .never)
        #expect(
            light.contains(
                "dark backgrounds use reverse video; the terminal's own background is according to COLORFGBG light"
            )
        )
        #expect(light.contains("background colour (OSC 11)"))
        #expect(report(["TERM": "xterm"], .never).contains("the terminal's own background is assumed to be dark"))
        #expect(report(["TERM": "xterm"]).contains("or if a probe measures two columns"))
        #expect(!report(["TERM": "xterm", "TMUX": "/tmp/s,1,0"]).contains("or if a probe measures two columns"))
        #expect(report(["TERM": "vt100"]).contains("decomposed"))
    }

    @Test(arguments: [40, 60, 80], [GlyphRepertoire.unicode, .ascii])
    func linesEndAtWords(columns: Int, repertoire: GlyphRepertoire) {
        let environment = ["TERM": "vt100", "COLORTERM": "truecolor", "COLORFGBG": "0;15"]
        func text(in columns: Int?) -> String {
            let profile = TerminalProfile(choice: .auto, environment: environment)
            return DoctorReport(profile: profile, repertoire: repertoire, isTerminal: false, columns: columns).text
        }
        let (whole, broken) = (text(in: nil), text(in: columns))
        #expect(whole.split(separator: "\n").contains { $0.columnWidth > 80 })
        #expect(broken.split(separator: "\n").allSatisfy { $0.columnWidth <= columns }, "\(broken)")
        #expect(broken.split(whereSeparator: \.isWhitespace) == whole.split(whereSeparator: \.isWhitespace))
        #expect(repertoire.isUTF8 || whole.utf8.allSatisfy { $0 < 0x80 }, "\(whole)")
    }
}
