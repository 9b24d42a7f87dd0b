// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation
import TestSupport
import Testing

struct TimestampTests {
    // From 1583 on: Foundation counts by Julius before.
    @Test func isWrittenAsTheCalendarOfFoundationWritesIt() {
        var generator = SeededGenerator(seed: 5)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for _ in 0..<2000 {
            let moment = Timestamp(
                milliseconds: .random(in: -12_212_553_600_000...253_402_300_799_999, using: &generator)
            )
            let date = Date(timeIntervalSince1970: Double(moment.milliseconds / 1000))
            let whole = Timestamp(milliseconds: moment.milliseconds / 1000 * 1000)
            #expect(whole.description == date.formatted(style))
            #expect(Timestamp(moment.description) == moment)
        }
    }

    @Test(arguments: [
        (253_402_300_800_000, "9999-12-31T23:59:59.999Z"), (.max, "9999-12-31T23:59:59.999Z"),
        (-62_167_219_200_001, "0000-01-01T00:00:00.000Z"), (.min, "0000-01-01T00:00:00.000Z"),
    ])
    func yearsOutsideFourDigitsAreClamped(milliseconds: Int64, text: String) {
        let moment = Timestamp(milliseconds: milliseconds)
        #expect(moment.description == text)
        #expect(Timestamp(text)?.description == text)
        #expect(Timestamp(httpDate: moment.httpDate) != nil)
    }

    @Test(arguments: [
        ("2020-10-17T18:43:19.000Z", 1_602_960_199_000), ("2020-10-17T18:43:19Z", 1_602_960_199_000),
        ("2020-10-17T18:43:19.5Z", 1_602_960_199_500), ("2020-02-29T00:00:00.001Z", 1_582_934_400_001),
        ("1969-12-31T23:59:59.999Z", -1), ("0000-01-01T00:00:00.000Z", -62_167_219_200_000),
    ])
    func reads(text: String, milliseconds: Int64) {
        #expect(Timestamp(text) == Timestamp(milliseconds: milliseconds))
    }

    @Test(arguments: [
        "", "Z", "2020-10-17", "2020-10-17T18:43:19", "2020-10-17T18:43:19+00:00", "2020-10-17T18:43:19.0000Z",
        "2020-10-17T18:43:19.Z", "2020-13-17T18:43:19Z", "2020-00-17T18:43:19Z", "2019-02-29T00:00:00Z",
        "2020-10-32T00:00:00Z", "2020-10-00T00:00:00Z", "2020-10-17T24:00:00Z", "2020-10-17T18:60:00Z",
        "2020-10-17T18:43:60Z", "2020-1-17T18:43:19Z", "+020-10-17T18:43:19Z", "2020-10-17t18:43:19Z",
        "2020-10-17T18:43:19.٠Z", "2020-10-17T18:43:19Z' OR '1'='1", "9223372036854775807",
    ])
    func refuses(text: String) {
        #expect(Timestamp(text) == nil)
    }
}
