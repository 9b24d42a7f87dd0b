// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

struct RevisionCursorTests {
    @Test func isReadAsItIsWritten() {
        let cursor = RevisionCursor(epoch: Epoch(rawValue: 0xAB), revision: 42)
        #expect(cursor.description == "00000000000000ab:42")
        #expect(RevisionCursor("00000000000000ab:42") == cursor)
    }

    @Test(arguments: [
        "", ":", "42", "ab:42", "00000000000000ab:", "00000000000000ab:-1", "00000000000000ab:+1",
        "00000000000000ab:01", "00000000000000ab:1:2", "00000000000000AB:1", "00000000000000ab:18446744073709551616",
    ])
    func rejectsInvalidCursors(text: String) {
        #expect(RevisionCursor(text) == nil)
    }
}
