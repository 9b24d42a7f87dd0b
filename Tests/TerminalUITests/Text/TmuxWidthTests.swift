// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Foundation
    import Glibc
    import TestSupport
    import Testing

    @testable import TerminalUI

    /// The output for a UTF-8 terminal, printed in a real one.
    @Suite(.enabled(if: Tmux.isInstalled, "this needs tmux, which Scripts/test installs"))
    struct TmuxWidthTests {
        @Test(.timeLimit(.minutes(5)))
        func cursorEndsWhereTheColumnsSay() throws {
            let platformWidth = try PlatformWidth()
            let folder = try TemporaryDirectory()
            let path = folder["pipe"]
            try #require(mkfifo(path, 0o600) == 0)
            // Opened for both directions, so that opening does not wait for the reader.
            let pipe = FileHandle(fileDescriptor: open(path, O_RDWR | O_CLOEXEC), closeOnDealloc: true)
            let tmux = try Tmux(running: .shell("exec cat '\(path)'"), columns: 200, rows: 10)
            let texts = WidthFixtures.all.map(\.text) + HostileText.texts(count: 60, seed: 7)
            for (number, text) in texts.map({ $0.sanitized() }).enumerated() {
                let drawn = text.map { GlyphRepertoire.unicode.degraded($0, scalarWidth: platformWidth.columns) }
                    .joined()
                // tmux sets the title in the order of what it reads, so it shows when the text has arrived.
                let bytes = "\u{1B}[2J\u{1B}[H\(drawn)\u{1B}]2;marker-\(number)\u{7}"
                try pipe.write(contentsOf: Data(bytes.utf8))
                var state = try tmux.state()
                try until("the text to arrive") {
                    state = try tmux.state()
                    return state.title == "marker-\(number)"
                }
                let place = (state.cursor.row, state.cursor.column)
                #expect(place == (0, text.columnWidth), "\(text.escaped) drawn as \(drawn.escaped)")
            }
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
