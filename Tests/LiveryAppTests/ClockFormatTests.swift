import ConfigModel
import Testing

@testable import LiveryApp

struct ClockFormatTests {
    @Test(
        arguments: [
            (0, "1970-01-01 00:00:00"), (1_795_176_224_000, "2026-11-20 12:03:44"),
            (1_795_176_224_999, "2026-11-20 12:03:44"),
            (951_782_400_000, "2000-02-29 00:00:00"), (253_402_300_799_000, "9999-12-31 23:59:59"),
            (-1, "1969-12-31 23:59:59"),
            (-1000, "1969-12-31 23:59:59"), (-1001, "1969-12-31 23:59:58"),
        ] as [(Int64, String)]
    )
    func momentsAreSpelledAsTheirSecond(milliseconds: Int64, text: String) {
        let moment = Timestamp(milliseconds: milliseconds)
        #expect(ClockFormat.utc.dateAndClock(moment) == text)
        #expect(ClockFormat.utc.clock(moment) == String(text.suffix(8)))
    }

    @Test(arguments: [Int64.min, .max])
    func momentsBeyondReasonAreSpelledSomehow(milliseconds: Int64) {
        let moment = Timestamp(milliseconds: milliseconds)
        #expect(ClockFormat.utc.clock(moment).count == 8)
        #expect(!ClockFormat.utc.dateAndClock(moment).isEmpty)
        #expect(ClockFormat.local.clock(moment).count == 8)
    }
}
