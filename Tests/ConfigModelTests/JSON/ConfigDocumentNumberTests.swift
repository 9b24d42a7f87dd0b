// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

struct ConfigDocumentNumberTests {
    @Test(
        arguments: [
            ("0", .integer(0)), ("-0", .integer(0)), ("1", .integer(1)), ("-1", .integer(-1)), ("10", .integer(10)),
            ("9007199254740991", .integer(9_007_199_254_740_991)),
            ("-9007199254740991", .integer(-9_007_199_254_740_991)),
            ("0.5", .double(0.5)), ("-0.5", .double(-0.5)), ("1.5e3", .integer(1500)), ("1e5", .integer(100_000)),
            ("1E5", .integer(100_000)), ("1e+5", .integer(100_000)), ("1e-5", .double(0.00001)),
            ("1e05", .integer(100_000)),
            ("0e0", .integer(0)), ("-0.0", .integer(0)), ("0.0e999", .integer(0)), ("1.0", .integer(1)),
            ("100e-2", .integer(1)),
            ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)), ("5e-324", .double(.leastNonzeroMagnitude)),
            ("0.1", .double(0.1)), ("9007199254740991.0", .integer(9_007_199_254_740_991)),
            ("0.10", .double(0.1)), ("0.1e1", .integer(1)), ("1e20", .double(1e20)), ("1e300", .double(1e300)),
            ("3.141592653589793", .double(.pi)), ("0.30000000000000004", .double(0.1 + 0.2)),
            ("-1.230000000000000000000000000", .double(-1.23)), ("0.0000000000000000000000123e20", .double(0.00123)),
        ] as [(String, EntryValue)]
    )
    func numbersAreReadAsTheirValue(text: String, value: EntryValue) throws {
        #expect(try values(of: #"{"k":\#(text)}"#)["k"] == value)
        #expect(try values(of: "{\"k\":\(text)\n,\"l\":0}")["k"] == value)
    }

    /// In canonical form such a number has no exponent; it must still be readable.
    @Test(arguments: ["9007199254740992", "-9007199254740992", "100000000000000000000", "123456789012345680000"])
    func largeIntegersAreReadAsTheyAreWritten(text: String) throws {
        let value = try #require(try values(of: #"{"k":\#(text)}"#)["k"])
        #expect(value == .double(try #require(Double(text))))
        #expect(value.canonicalJSON == text)
    }

    @Test(arguments: [
        "9007199254740993", "-9007199254740993", "12345678901234567890", "9223372036854775807", "9223372036854775808",
        "1000000000000000000000", "100000000000000000001", "1" + String(repeating: "0", count: 300),
    ])
    func integersThatWouldLoseDigitsAreRefused(text: String) {
        let error = problem(in: #"{"k":\#(text)}"#)
        #expect(error?.code == .unsupportedValue)
        #expect(
            error?.description
                == "d.json:1:6: k: the integer exceeds ±(2^53 − 1) and is not portable in JSON; use a string"
        )
    }

    @Test(arguments: [
        ("3.141592653589793238462643383279", "3.141592653589793"), ("1e-400", "0"),
        ("9007199254740993.0", "9007199254740992"),
        ("333333333.33333329", "333333333.3333333"), ("-0.10000000000000001", "-0.1"), ("1.00000000000000000001", "1"),
        ("4.9e-324", "5e-324"),
        ("0.0001e-9223372036854775808", "0"), ("-1e-9223372036854775807", "0"), ("1e-99999999999999999999999", "0"),
    ])
    func numbersThatWouldLoseDigitsAreRefused(text: String, kept: String) {
        let error = problem(in: #"{"k":\#(text)}"#)
        #expect(error?.code == .unsupportedValue)
        let message = "the number has too many digits for a double; use \(kept), or a string"
        #expect(error?.description == "d.json:1:6: k: \(message)")
    }

    @Test(arguments: ["1e999", "-1e999", "1.8e308", "1" + String(repeating: "0", count: 400), "123456.789e400"])
    func numbersBeyondTheRangeAreRefused(text: String) {
        let error = problem(in: #"{"k": \#(text)}"#)
        #expect(error?.code == .unsupportedValue)
        #expect(error?.description == "d.json:1:7: k: the number is too large for a double; use a string")
    }

    @Test(arguments: [
        ("01", "1:6", "a number must not start with 0"), ("-01", "1:6", "a number must not start with 0"),
        ("00", "1:6", "a number must not start with 0"), ("00.5", "1:6", "a number must not start with 0"),
        ("1.", "1:8", "expected a digit, found '}'"), ("1.e5", "1:8", "expected a digit, found 'e'"),
        (".5", "1:6", "expected a value, found '.'"), ("+1", "1:6", "expected a value, found '+'"),
        ("-", "1:7", "expected a digit, found '}'"), ("--1", "1:7", "expected a digit, found '-'"),
        ("-.5", "1:7", "expected a digit, found '.'"), ("1e", "1:8", "expected a digit, found '}'"),
        ("1e+", "1:9", "expected a digit, found '}'"), ("1e5.5", "1:9", "expected '}' or ',' after a value, found '.'"),
        ("1.2.3", "1:9", "expected '}' or ',' after a value, found '.'"),
        ("1_000", "1:7", "expected '}' or ',' after a value, found '_'"),
        ("1,5", "1:8", "expected a key in quotes, found '5'"),
        ("0x10", "1:7", "expected '}' or ',' after a value, found 'x'"),
        ("1 2", "1:8", "expected '}' or ',' after a value, found '2'"),
        ("- 1", "1:7", "expected a digit, found another character"),
        ("１", "1:6", "expected a value, found another character"),
        ("1٢", "1:7", "expected '}' or ',' after a value, found another character"),
        ("NaN", "1:6", "expected a value, found 'N'"), ("Infinity", "1:6", "expected a value, found 'I'"),
        ("-Infinity", "1:7", "expected a digit, found 'I'"),
        ("nan", "1:6", "expected a value, found 'nan'; put strings in quotes"),
        ("inf", "1:6", "expected a value, found 'inf'; put strings in quotes"),
    ])
    func invalidNumbersAreRejectedWithPosition(text: String, place: String, message: String) {
        let error = problem(in: #"{"k":\#(text)}"#)
        #expect(error?.code == .syntax)
        #expect(error?.location?.description == place)
        #expect(error?.message == message)
    }

    @Test(.timeLimit(.minutes(5))) func aNumberOfManyDigitsIsReadInGoodTime() throws {
        let json = #"{"k":0.\#(String(repeating: "3", count: 4_000_000))}"#
        #expect(problem(in: json)?.message.contains("use 0.3333333333333333, or") == true)
    }
}
