// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

struct PrettyJSONTests {
    @Test(
        arguments: [
            ("{}", "{}\n"), ("[]", "[]\n"),
            (#"{"a":[1,2],"b":{}}"#, "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {}\n}\n"),
            (#"{"a":"{[,:\"\\"}"#, "{\n  \"a\": \"{[,:\\\"\\\\\"\n}\n"),
        ]
    )
    func structureIsIndentedAndTextsStay(json: String, laidOut: String) {
        #expect(String(decoding: PrettyJSON.laidOut(Array(json.utf8)), as: UTF8.self) == laidOut)
    }
}
