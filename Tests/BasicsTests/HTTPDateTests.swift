// SPDX-License-Identifier: Apache-2.0

import Basics
import TestSupport
import Testing

struct HTTPDateTests {
    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777_000), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777_000),
            ("Sun Nov  6 08:49:37 1994", 784_111_777_000), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799_000), ("0", nil), ("", nil),
            ("Sun, 31 Feb 1994 08:49:37 GMT", nil),
            ("Sun, 06 Nov 1994 24:49:37 GMT", nil), ("Sun, 06 Foo 1994 08:49:37 GMT", nil), ("-1", nil), ("GMT", nil),
            ("Sun, 06 Nov 99999999999999999999 08:49:37 GMT", nil), ("1994-11-06T08:49:37Z", nil),
            ("Sun, x6 Nov 1994 08:49:37 GMT", nil),
        ] as [(String, Int64?)]
    ) func allThreeFormsAreRead(_ text: String, _ milliseconds: Int64?) {
        #expect(Timestamp(httpDate: text)?.milliseconds == milliseconds)
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777_999), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Sat, 17 Oct 2020 18:43:19 GMT", 1_602_960_199_000),
        ] as [(String, Int64)]
    ) func thePreferredFormIsWritten(_ text: String, _ milliseconds: Int64) {
        #expect(Timestamp(milliseconds: milliseconds).httpDate == text)
    }

    @Test func writtenDatesReadBack() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<10_000 {
            let seconds = Int64.random(in: 0..<253_402_300_800, using: &random)
            let moment = Timestamp(milliseconds: seconds * 1000)
            // Years below 100 would be read as RFC 850's; no such moment is after 1970.
            #expect(Timestamp(httpDate: moment.httpDate) == moment)
        }
    }
}
