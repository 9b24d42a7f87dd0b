// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

struct ConfigDocumentLimitTests {
    @Test(.timeLimit(.minutes(5))) func eightMebibytesAreTheLimit() throws {
        let limit = 8 * 1024 * 1024
        #expect(ConfigDocument.maximumBytes == limit)
        let full = Array("{}".utf8) + [UInt8](repeating: 0x20, count: limit - 2)
        #expect(problem(in: full) == nil)
        let error = problem(in: full + [0x20])
        #expect(error?.code == .tooLarge)
        #expect(error?.description == "d.json: the document is larger than 8 MiB; store large content elsewhere")
    }

    @Test(arguments: [
        // The quotation marks count.
        ("\"", "x", 65_533, "\"", true), ("\"", "x", 65_534, "\"", false),
        // In bytes, not in characters.
        ("\"", "é", 32_766, "x\"", true), ("\"", "é", 32_767, "\"", false),
        // As canonical JSON, not in the notation used here.
        ("\"", #"\u0041"#, 65_533, "\"", true), ("\"", #"\n"#, 32_766, "x\"", true),
        ("\"", #"\n"#, 32_767, "\"", false),
        ("\"", #"\u0000"#, 10_923, "\"", false), ("[", "1, ", 32_766, "1]", true), ("[", "1,", 32_767, "1]", false),
        ("[", "1.0,", 32_766, "1]", true),
    ])
    func aValueHasAtMost65535Bytes(start: String, repeated: String, count: Int, end: String, isAllowed: Bool) {
        let json = start + String(repeating: repeated, count: count) + end
        let error = problem(in: "{\"x\":1,\n\"k\": \(json)}")
        if isAllowed {
            #expect(error == nil)
        } else {
            #expect(error?.code == .tooLarge)
            let message = "the value is larger than 65535 bytes; store large content elsewhere and set its URL"
            #expect(error?.description == "d.json:2:6: k: \(message)")
        }
    }

    /// The rest is not JSON, and is never parsed.
    @Test(arguments: [
        "[" + String(repeating: "1,", count: 40_000), "[" + String(repeating: "0.5 ,", count: 20_000),
        "[" + String(repeating: "\"x\",", count: 20_000), "[" + String(repeating: "true,", count: 20_000),
        "\"" + String(repeating: "x", count: 70_000), "\"" + String(repeating: #"\u0041"#, count: 70_000),
        "[\"" + String(repeating: #"\n"#, count: 70_000),
    ])
    func aValueThatIsTooLargeIsRefusedBeforeItsEndIsRead(beginning: String) {
        let error = #expect(throws: ConfigError.self) {
            try JSONScanner.object(Array("{\"value\":\(beginning)\u{1}".utf8)) { (_, scanner) throws(ConfigError) in
                _ = try scanner.value()
            }
        }
        #expect(error?.code == .tooLarge)
        #expect(error?.location == TextLocation(line: 1, column: 10))
        // A document leaves it out, and passes over it to its end.
        #expect(problem(in: "{\"k\":" + beginning + "\u{1}")?.code == .syntax)
    }

    @Test func keysOf128CharactersNestOrNot() throws {
        let segments = Array(repeating: "a", count: 64)
        let nested = segments.map { #"{"\#($0)":"# }.joined()
        let json = nested.dropLast() + ":1" + String(repeating: "}", count: 64)
        #expect(try values(of: String(json)).keys.map(\.utf8.count) == [127])
        #expect(problem(in: #"{"\#(String(repeating: "k", count: 128))":1}"#) == nil)
        let error = problem(in: #"{"\#(String(repeating: "k", count: 129))":1}"#)
        #expect(error?.message == "the key is longer than 128 characters")
        #expect(error?.key?.count == 128)
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            (#"{"a":"#, "1:500001", ConfigError.Code.syntax), ("{\"a\":\n", "100001:1", .syntax),
            (#"{"":"#, "1:400001", .syntax),
            ("[", "1:1", .syntax), ("{", "1:2", .syntax),
        ]
    )
    func deepNestingIsAnErrorAndNoOverflow(opening: String, place: String, code: ConfigError.Code) {
        let error = problem(in: String(repeating: opening, count: 100_000))
        #expect(error?.code == code)
        #expect(error?.location?.description == place)
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            (#"{"a":"#, "[", "1:6"), (#"{"a":["#, #"{"a":"#, "1:6"), (#"{"a":"#, "[1,[", "1:6"),
        ]
    )
    func deepNestingInAValueIsAnErrorAndNoOverflow(start: String, opening: String, place: String) {
        // The end is missing, which is found without a level of the stack for each bracket.
        let error = problem(in: start + String(repeating: opening, count: 100_000))
        #expect(error?.code == .syntax)
        // Whole, it is left out.
        let closing = String(opening.reversed().compactMap { ["[": "]", "{": "}"][$0] })
        let json = start + String(repeating: opening, count: 100_000) + "1"
        let problem = problem(
            in: json + String(repeating: closing, count: 100_000) + (start.hasSuffix("[") ? "]}" : "}")
        )
        #expect(problem?.message == "the value is nested deeper than 32 levels")
        #expect(problem?.location?.description == place)
    }

    @Test func aValueHasAtMost32Levels() throws {
        for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
            let json = { (depth: Int) in
                let value = String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
                return "{\"livery\":1,\"entries\":{\"k\":\(value)}}"
            }
            #expect(problem(in: json(32)) == nil)
            #expect(problem(in: json(33))?.code == .tooLarge)
        }
    }

    @Test(.timeLimit(.minutes(5))) func oneLineOf100000KeysIsReadInLinearTime() throws {
        let json = "{" + (0..<100_000).map { #""k\#($0)":\#($0)"# }.joined(separator: ",")
        let entries = try document(json + "}").entries
        #expect(entries.count == 100_000)
        #expect(entries["k99999"]?.location?.column == json.utf8.count - 4)
        let error = problem(in: json + ",}")
        #expect(error?.location == TextLocation(line: 1, column: json.utf8.count + 2))
    }
}
