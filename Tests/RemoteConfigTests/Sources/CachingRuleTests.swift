// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import HTTPTransport
import Testing

@testable import RemoteConfig

struct CachingRuleTests {
    private static let now = Timestamp(milliseconds: 784_111_777_000)

    @Test(
        arguments: [
            ([:], 30), (["Cache-Control": "max-age=60"], 60), (["Cache-Control": "public, Max-Age=60"], 60),
            (["Cache-Control": "max-age=\"60\""], 60), (["Cache-Control": "max-age=0"], 5),
            (["Cache-Control": "max-age=86400"], 300),
            (["Cache-Control": "max-age=99999999999999999999"], 300), (["Cache-Control": "max-age=x"], 5),
            (["Cache-Control": "max-age=-1"], 5), (["Cache-Control": "max-age"], 30),
            (["Cache-Control": "no-cache"], 5),
            (["Cache-Control": "no-store, max-age=60"], 5), (["Cache-Control": "s-maxage=60"], 30),
            (["Cache-Control": "s-maxage=9, max-age=60"], 60), (["Cache-Control": "max-age=60", "Age": "20"], 40),
            (["Cache-Control": "max-age=60", "Age": "90"], 5), (["Cache-Control": "max-age=60", "Age": "-9"], 60),
            (["Cache-Control": "max-age=60", "Age": "x"], 60), (["Age": "20"], 30),
            (["Expires": "Sun, 06 Nov 1994 08:50:37 GMT"], 60), (["Expires": "Sun, 06 Nov 1994 08:00:00 GMT"], 5),
            (["Expires": "0"], 5), (["Expires": "Sun, 06 Nov 1994 08:50:37 GMT", "Cache-Control": "max-age=100"], 100),
            (["Expires": "Sun, 06 Nov 1994 08:50:37 GMT", "Date": "Sun, 06 Nov 1994 08:50:27 GMT"], 10),
        ] as [([String: String], Int)]
    ) func asksAsOftenAsTheServerSuggests(_ fields: [String: String], _ seconds: Int) {
        let headers = HTTPHeaders(fields.map { (name: $0.key, value: $0.value) })
        let stated = CachingRule.statedInterval(after: headers, at: Self.now)
        #expect((stated ?? CachingRule.usual) == .seconds(seconds))
    }
}
