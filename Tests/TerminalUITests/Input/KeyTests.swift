// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TerminalUI

struct KeyTests {
    private static let codes: [Key.Code] =
        [
            .enter, .escape, .tab, .backspace, .delete, .insert, .up, .down, .left, .right, .home, .end, .pageUp,
            .pageDown,
        ] + (1...24).map { .function($0) } + "aqz09-+?/ .,~é漢😸ßſ".map { .character($0) }
        // Marks that would become one character with what stands before them.
        + (["\u{301}", "\u{FE0F}", "\u{200D}", "\u{1F3FB}"] as [Character]).map { .character($0) }

    @Test(arguments: 0...7)
    func namesReadBackAsTheSameKey(modifiers: Int) {
        for code in Self.codes {
            let key = Key(code, Key.Modifiers(rawValue: modifiers))
            #expect(Key(key.description) == key, "\(key)")
        }
    }

    @Test(arguments: [
        ("Enter", Key(.enter)), ("ENTER", Key(.enter)), ("esc", Key(.escape)), ("pagedown", Key(.pageDown)),
        ("f1", Key(.function(1))), ("F24", Key(.function(24))), ("Ctrl-C", Key(.character("c"), .control)),
        ("ctrl-c", Key(.character("c"), .control)), ("Ctrl-Alt-Shift-Up", Key(.up, [.control, .alt, .shift])),
        ("Alt-Ctrl-x", Key(.character("x"), [.alt, .control])), ("Space", .character(" ")), (" ", .character(" ")),
        ("-", .character("-")), ("Alt--", Key(.character("-"), .alt)), ("Shift-Tab", Key(.tab, .shift)),
        ("f", .character("f")), ("é", .character("é")), ("Ctrl-İ", Key(.character("i\u{307}"), .control)),
    ])
    func namesAreReadInAnyCase(name: String, key: Key) {
        #expect(Key(name) == key)
    }

    @Test(arguments: [
        "", "qq", "Ctrl", "Ctrl-", "Meta-x", "Hyper-Up", "-x", "--", "Ctrl--x", "Alt-Enter-", "F0", "F25", "F-1", "F+1",
        "F01", "F999999999999999999999", "Fx", "F１", "Entr", "Ctrl-Entr", " Enter", "Ctrl -C", "Up Down",
    ])
    func invalidKeyNamesAreRejected(name: String) {
        #expect(Key(name) == nil)
    }
}
