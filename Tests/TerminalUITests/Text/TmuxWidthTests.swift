// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
    import Testing

    @testable import TerminalUI

    /// What is really sent to a UTF-8 terminal, printed in a real one.
    @Suite(.enabled(if: TmuxScreen.isInstalled, "tmux is compared with"))
    struct TmuxWidthTests {
        @Test(.timeLimit(.minutes(5)))
        func cursorEndsWhereTheColumnsSay() throws {
            let platformWidth = try PlatformWidth()
            let screen = try TmuxScreen()
            let deadline = ContinuousClock.now + .seconds(150)
            let texts = WidthFixtures.all.map(\.text) + HostileText.texts(count: 200, seed: 7)
            for (number, text) in texts.map({ $0.sanitized() }).enumerated() {
                let drawn = text.map { GlyphRepertoire.unicode.degraded($0, scalarWidth: platformWidth.columns) }
                    .joined()
                let column = try screen.cursorColumn(after: drawn, marker: number, deadline: deadline)
                #expect(column == text.columnWidth, "\(text.escaped) drawn as \(drawn.escaped)")
            }
            try screen.stop()
        }
    }

    /// The C library's `wcwidth`, which the overlay does not import.
    private struct PlatformWidth {
        private typealias Function = @convention(c) (wchar_t) -> CInt

        private let wcwidth: Function

        init() throws {
            try #require(setlocale(LC_CTYPE, "C.UTF-8") != nil)
            let symbol = try #require(dlsym(dlopen(nil, RTLD_NOW), "wcwidth"))
            wcwidth = unsafeBitCast(symbol, to: Function.self)
        }

        func columns(of scalar: Unicode.Scalar) -> Int {
            Int(wcwidth(wchar_t(truncatingIfNeeded: scalar.value)))
        }
    }
#endif
