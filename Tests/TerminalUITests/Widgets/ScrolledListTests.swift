// SPDX-License-Identifier: Apache-2.0

import TerminalUI
import Testing

struct ScrolledListTests {
    @Test(arguments: [
        ("G", 90), ("G g", 0), ("End", 90), ("End Home", 0), ("PageDown", 10), ("Space PageUp", 0), ("j Down", 2),
        ("j j k", 1), ("G PageDown", 90), ("Up", 0),
    ])
    func keysScrollBetweenTheEnds(keys: String, top: Int) {
        var list = ScrolledList()
        for name in keys.split(separator: " ") { list.press(String(name)) }
        #expect(list.top == top)
    }

    @Test func aSearchTypesUntilEnterAndEndsWithEsc() {
        var list = ScrolledList()
        list.press("G")
        list.press("/")
        for name in ["g", "j", "/"] { list.press(name) }
        #expect(list.search?.text == "gj/" && list.isTyping && list.top == 0)
        list.press("PageDown")
        #expect(list.top == 10)
        list.press("Enter")
        list.press("j")
        #expect(list.search?.text == "gj/" && !list.isTyping && list.top == 11)
        list.press("Esc")
        #expect(list.search == nil)
        let isHandled = list.handle(Key(.escape), count: 100, page: 10)
        #expect(!isHandled)
    }
}

extension ScrolledList {
    fileprivate mutating func press(_ name: String) {
        guard let key = Key(name) else { return }
        _ = handle(key, count: 100, page: 10)
    }
}
