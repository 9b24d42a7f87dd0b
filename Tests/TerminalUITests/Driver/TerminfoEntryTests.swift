import Foundation
import Testing

@testable import TerminalUI

@MainActor struct TerminfoEntryTests {
    @Test func readsControlsOfEightBitsAsTheyAre() throws {
        let entry = try #require(TerminfoEntry(named: "xterm-8bit"))
        let strings = entry.strings.compactMap(\.self)
        #expect(entry.strings[TerminfoEntry.Place.cursorAddress]?.first == 0x9B)
        #expect(!strings.contains { $0.firstRange(of: Array("\u{FFFD}".utf8)) != nil })
    }
}
