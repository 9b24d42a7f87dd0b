// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TerminalUI

/// The profile of a terminal and its queries, by variables that may be inherited from another one.
@MainActor struct TerminalProfileTests {
    private func profile(_ name: String, _ environment: [String: String] = [:]) -> TerminalProfile {
        TerminalProfile(choice: .auto, environment: environment.merging(["TERM": name]) { $1 })
    }

    @Test(arguments: [
        ("xterm-256color", [:], true), ("tmux-256color", ["TMUX": "/tmp/tmux"], true),
        ("screen-256color", ["TMUX": "/tmp/tmux"], true), ("xterm-kitty", [:], true),
        ("screen", [:], false), ("screen-256color", ["STY": "1.pts"], false),
        ("screen.xterm-256color", ["STY": "1.pts"], false), ("xterm-256color", ["STY": "1.pts"], false),
        ("screen-256color", ["STY": "1.pts", "TMUX": "/tmp/tmux"], false),
        ("xterm-256color", ["NCURSES_NO_UTF8_ACS": "1"], false), ("linux", [:], false), ("vt100", [:], false),
        ("vt220", [:], false),
    ])
    func onlyCapableTerminalsAreQueried(name: String, environment: [String: String], isAsked: Bool) {
        #expect(profile(name, environment).canBeAsked == isAsked)
    }

    @Test(arguments: [
        ("xterm-256color", [:], ColorDepth.direct), ("tmux-256color", ["TMUX": "/tmp/tmux"], .direct),
        ("screen-256color", ["TMUX": "/tmp/tmux"], .direct), ("screen-256color", ["STY": "1.pts"], .indexed256),
        ("screen", ["STY": "1.pts"], .ansi8), ("xterm-256color", ["STY": "1.pts"], .indexed256),
        ("xterm-256color", ["NCURSES_NO_UTF8_ACS": "1"], .indexed256), ("linux", [:], .ansi8),
        ("vt100", [:], .monochrome), ("vt220", [:], .monochrome),
    ])
    func inheritedCOLORTERMIsIgnored(name: String, environment: [String: String], depth: ColorDepth) throws {
        let outside = ["COLORTERM": "truecolor", "KITTY_WINDOW_ID": "1"]
        let profile = profile(name, environment.merging(outside) { $1 })
        #expect(profile.depth == depth)
        let finding = try #require(profile.findings.first { $0.hasPrefix("COLORTERM") })
        #expect(finding.contains("inherited") == (depth != .direct))
        #expect(profile.hasHyperlinks == (depth == .direct))
    }

    /// Screen prints the rest of a string beyond 768 bytes.
    @Test func screenGetsNoLongStrings() {
        #expect(!profile("screen-256color").hasClipboard)
        #expect(profile("tmux-256color", ["TMUX": "/tmp/tmux"]).hasClipboard)
        #expect(!profile("linux").isXtermLike && !profile("linux").hasClipboard)
    }
}
