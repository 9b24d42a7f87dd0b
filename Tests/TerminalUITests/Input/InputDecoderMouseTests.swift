import Testing

@testable import TerminalUI

struct InputDecoderMouseTests {
    @Test(arguments: [
        ("<0;1;1M", InputEvent.mouse(.press(button: 0), column: 0, row: 0)),
        ("<1;80;24M", .mouse(.press(button: 1), column: 79, row: 23)),
        ("<2;223;500M", .mouse(.press(button: 2), column: 222, row: 499)),
        ("<0;3;4m", .mouse(.release(button: 0), column: 2, row: 3)),
        ("<2;3;4m", .mouse(.release(button: 2), column: 2, row: 3)),
        ("<32;3;4M", .mouse(.drag(button: 0), column: 2, row: 3)),
        ("<34;3;4M", .mouse(.drag(button: 2), column: 2, row: 3)),
        ("<64;3;4M", .mouse(.scroll(-1), column: 2, row: 3)),
        ("<65;3;4M", .mouse(.scroll(1), column: 2, row: 3)),
    ])
    func everyUseOfTheMouseIsUnderstood(report: String, event: InputEvent) {
        #expect(InputDecoder.events(of: "\u{1B}[" + report) == [event])
        #expect(InputDecoder.eventsByteByByte(of: "\u{1B}[\(report)".utf8) == [event])
    }

    /// xterm adds 4 for shift, 8 for meta and 16 for control.
    @Test(arguments: [4, 8, 16, 28])
    func modifiersDoNotChangeWhatTheMouseDoes(modifiers: Int) {
        #expect(
            InputDecoder.events(of: "\u{1B}[<\(modifiers);2;2M") == [.mouse(.press(button: 0), column: 1, row: 1)]
        )
        #expect(
            InputDecoder.events(of: "\u{1B}[<\(65 + modifiers);2;2M") == [.mouse(.scroll(1), column: 1, row: 1)]
        )
    }

    @Test func theLargestNumberIsAPlaceBeyondTheScreen() {
        let report = "\u{1B}[<0;\(Int.max);\(Int.max)M"
        let expected = InputEvent.mouse(.press(button: 0), column: Int.max - 1, row: Int.max - 1)
        #expect(InputDecoder.events(of: report) == [expected])
    }

    @Test(arguments: [
        // Places that do not exist.
        "<0;0;1M", "<0;1;0M", "<0;-1;1M", "<0;1;-9223372036854775808M", "<0;9223372036854775808;1M",
        "<0;99999999999999999999999999;1M", "<0;+1;1M",
        // Numbers missing, too many, or none.
        "<M", "<0M", "<0;1M", "<0;1;1;1M", "<0;;1;1M", "<;1;1M", "<0;1;;M", "<0;?;1;1M", "<0:1;1;1M", "<0; 1;1M",
        // The pointer moves with no button; buttons 4 to 11; the wheel to the side, let go, or turned by a negative.
        "<35;1;1M", "<3;1;1M", "<128;1;1M", "<129;1;1m", "<160;1;1M", "<256;1;1M", "<66;1;1M", "<67;1;1M",
        "<64;1;1m", "<65;1;1m", "<-4;1;1M", "<-128;1;1M", "<9223372036854775807;1;1M",
    ])
    func whatIsNoUseOfTheThreeButtonsAndTheWheelIsNothing(report: String) {
        #expect(InputDecoder.events(of: "\u{1B}[\(report)q") == [.character("q")])
    }
}
