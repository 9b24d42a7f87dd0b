// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

struct VirtualScreenStyleTests {
    typealias Style = VirtualScreen.Style

    @Test(arguments: [
        ("", Style()),
        ("1", Style(attributes: .bold)), ("2", Style(attributes: .dim)), ("3", Style(attributes: .italic)),
        ("4", Style(attributes: .underline)), ("5", Style(attributes: .blink)), ("7", Style(attributes: .reverse)),
        ("8", Style(attributes: .hidden)), ("9", Style(attributes: .strikethrough)),
        ("21", Style(attributes: .underline)), ("4:3", Style(attributes: .underline)), ("4;4:0", Style()),
        ("1;2;22", Style()), ("3;23", Style()), ("4;24", Style()), ("5;25", Style()), ("7;27", Style()),
        ("8;28", Style()), ("9;29", Style()), ("1;3;0", Style()), ("1;;3", Style(attributes: .italic)),
        ("31", Style(foreground: .indexed(1))), ("42", Style(background: .indexed(2))),
        ("97", Style(foreground: .indexed(15))), ("100", Style(background: .indexed(8))),
        ("31;39", Style()), ("42;49", Style()), ("0;10", Style()),
        ("38;5;208", Style(foreground: .indexed(208))), ("48;5;17", Style(background: .indexed(17))),
        ("38:5:208", Style(foreground: .indexed(208))), ("48:5:17", Style(background: .indexed(17))),
        ("38;2;1;2;3", Style(foreground: .rgb(0x010203))), ("48;2;255;182;193", Style(background: .rgb(0xFFB6C1))),
        ("38:2::1:2:3", Style(foreground: .rgb(0x010203))), ("38:2:1:2:3", Style(foreground: .rgb(0x010203))),
        ("48:2::255:182:193", Style(background: .rgb(0xFFB6C1))),
        ("38:2::1:2:3;1", Style(foreground: .rgb(0x010203), attributes: .bold)),
        ("38;2;1;2;3;48;5;4;7", Style(foreground: .rgb(0x010203), background: .indexed(4), attributes: .reverse)),
        ("58;5;1;1", Style(attributes: .bold)), ("58:2::1:2:3;59;1", Style(attributes: .bold)),
    ])
    func reads(parameters: String, style: Style) {
        let screen = screen("\u{1B}[\(parameters)mx")
        #expect(screen.cell(row: 0, column: 0) == .init(text: "x", style: style))
        #expect(screen.violations == [])
    }

    @Test(arguments: ["256", "38", "38;5", "38;5;256", "38;2;1;2", "38;2;1;2;256", "48;9;1", "4:9", "12", "38:2:1:2"])
    func notesWhatItDoesNotKnow(parameters: String) {
        #expect(!screen("\u{1B}[\(parameters)mx").violations.isEmpty)
    }

    @Test func tellsTheColorsOnTheScreen() {
        let screen = screen("\u{1B}[48;5;17ma\u{1B}[48;2;1;2;3;31mb\u{1B}[m")
        #expect(screen.backgrounds() == [.indexed(17), .rgb(0x010203), .standard])
        #expect(screen.foregrounds() == [.standard, .indexed(1)])
        let reversed = TestSupportTests.screen("\u{1B}[7;31mx").cell(row: 0, column: 0)
        #expect(reversed.visibleBackground == .indexed(1))
    }

    @Test func followsLinks() {
        let screen = screen("\u{1B}]8;;https://example.org\u{1B}\\ab\u{1B}]8;;\u{1B}\\c\u{1B}]8;id=1;x:y;z\u{7}d")
        let links = screen.cells(row: 0).prefix(4).map(\.hyperlink)
        #expect(links == ["https://example.org", "https://example.org", nil, "x:y;z"])
        #expect(screen.violations == [])
    }

    @Test func saysWhatDiffers() {
        let red = screen("\u{1B}[1;31mx")
        #expect(red.differences(from: red) == [])
        #expect(
            red.differences(from: screen("x")) == [
                #"row 0, column 0: "x", palette 1 on standard, bold, not "x", standard on standard"#
            ]
        )
        #expect(red.differences(from: screen("\u{1B}[1;31mx\u{1B}[?25l\r")).count == 2)
        #expect(red.differences(from: screen("", columns: 4)) == ["the size is 10×3, not 4×3"])
    }
}
