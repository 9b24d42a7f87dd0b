// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TestSupport
import Testing

struct CanonicalJSONTests {
    /// RFC 8785, appendix B, all but NaN and Infinity, which JSON cannot express.
    static let samples: [(UInt64, String)] = [
        (0x0000_0000_0000_0000, "0"),
        (0x8000_0000_0000_0000, "0"),
        (0x0000_0000_0000_0001, "5e-324"),
        (0x8000_0000_0000_0001, "-5e-324"),
        (0x7FEF_FFFF_FFFF_FFFF, "1.7976931348623157e+308"),
        (0xFFEF_FFFF_FFFF_FFFF, "-1.7976931348623157e+308"),
        (0x4340_0000_0000_0000, "9007199254740992"),
        (0xC340_0000_0000_0000, "-9007199254740992"),
        (0x4430_0000_0000_0000, "295147905179352830000"),
        (0x44B5_2D02_C7E1_4AF5, "9.999999999999997e+22"),
        (0x44B5_2D02_C7E1_4AF6, "1e+23"),
        (0x44B5_2D02_C7E1_4AF7, "1.0000000000000001e+23"),
        (0x444B_1AE4_D6E2_EF4E, "999999999999999700000"),
        (0x444B_1AE4_D6E2_EF4F, "999999999999999900000"),
        (0x444B_1AE4_D6E2_EF50, "1e+21"),
        (0x3EB0_C6F7_A0B5_ED8C, "9.999999999999997e-7"),
        (0x3EB0_C6F7_A0B5_ED8D, "0.000001"),
        (0x41B3_DE43_5555_5553, "333333333.3333332"),
        (0x41B3_DE43_5555_5554, "333333333.33333325"),
        (0x41B3_DE43_5555_5555, "333333333.3333333"),
        (0x41B3_DE43_5555_5556, "333333333.3333334"),
        (0x41B3_DE43_5555_5557, "333333333.33333343"),
        (0xBECB_F647_612F_3696, "-0.0000033333333333333333"),
        (0x4314_3FF3_C1CB_0959, "1424953923781206.2"),
    ]

    @Test(arguments: samples)
    func numbersAreWrittenAsInTheStandard(bits: UInt64, text: String) {
        #expect(EntryValue.double(Double(bitPattern: bits)).canonicalJSON == text)
        #expect(EntryValue.array([0.5, .double(Double(bitPattern: bits))]).canonicalJSON == "[0.5,\(text)]")
    }

    @Test(arguments: samples)
    func theStandardsNumbersAreReadBack(bits: UInt64, text: String) throws {
        let value = try #require(try values(of: #"{"k":\#(text)}"#)["k"])
        #expect(value.canonicalJSON == text)
        if case .double(let number) = value { #expect(number.bitPattern == bits) }
    }

    /// RFC 8785, section 3.2.2.
    ///
    /// Its first number has 17 digits there, one more than a double keeps: such a number is refused.
    @Test func theStandardsExampleComesOutAsInTheStandard() throws {
        let json = #"""
            { "numbers": [333333333.3333333, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
              "literals": [null, true, false], "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/" }
            """#
        let values = try values(of: json)
        #expect(values["numbers"]?.canonicalJSON == "[333333333.3333333,1e+30,4.5,0.002,1e-27]")
        #expect(values["literals"]?.canonicalJSON == "[null,true,false]")
        #expect(values["string"]?.canonicalJSON == #""€$\u000f\nA'B\"\\\\\"/""#)
    }

    /// RFC 8785, section 3.2.3: sorted by UTF-16 code units, in which an emoji comes before U+FB33.
    @Test func membersAreSortedAsInTheStandard() throws {
        let json = #"""
            [{ "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
               "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis" }]
            """#
        guard case .array(let elements) = try EntryValue(json: Array(json.utf8)),
            case .object(let object)? = elements.first
        else { throw ConfigError(.damaged, "no object") }
        #expect(object.map(\.key) == ["\r", "1", "\u{80}", "\u{F6}", "\u{20AC}", "\u{1F600}", "\u{FB33}"])
        #expect(object["\u{FB33}"] == "Hebrew Letter Dalet With Dagesh")
        #expect(object["2"] == nil)
    }

    @Test(arguments: [
        ("", #""""#), ("a\"b", #""a\"b""#), ("\\", #""\\""#), ("/", #""/""#), ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#),
        ("\u{0}\u{1}\u{B}\u{F}\u{10}\u{1F}", #""\u0000\u0001\u000b\u000f\u0010\u001f""#),
        ("\u{7F}\u{80}", "\"\u{7F}\u{80}\""),
        ("\u{2028}\u{2029}", "\"\u{2028}\u{2029}\""), ("é", "\"é\""), ("e\u{301}", "\"e\u{301}\""), ("🐶", "\"🐶\""),
        ("\r\n", #""\r\n""#),
        ("\u{FFFD}\u{10FFFF}", "\"\u{FFFD}\u{10FFFF}\""),
    ])
    func stringsEscapeOnlyWhatTheyMust(text: String, json: String) {
        #expect(EntryValue.string(text).canonicalJSON.unicodeScalars.elementsEqual(json.unicodeScalars))
    }

    @Test(
        arguments: [
            (.integer(0), "0"), (.integer(-1), "-1"), (.integer(9_007_199_254_740_991), "9007199254740991"),
            (.boolean(true), "true"),
            (.boolean(false), "false"), ([], "[]"), (["a", "\n"], #"["a","\n"]"#),
            ([1, -2], "[1,-2]"),
            ([1, 1e21], "[1,1e+21]"), ([true, false], "[true,false]"),
            ([:], "{}"), (["b": [.null], "a": ["": 1]], #"{"a":{"":1},"b":[null]}"#), (.double(1e21), "1e+21"),
        ] as [(EntryValue, String)]
    )
    func otherValuesHaveOneForm(value: EntryValue, json: String) {
        #expect(value.canonicalJSON == json)
    }

    /// Written values are read as the same value: of every type, over the whole range of numbers and scalars.
    @Test(.timeLimit(.minutes(5))) func writtenValuesReadBackUnchanged() throws {
        var random = ValueGenerator(seed: 8785)
        for _ in 0..<20_000 {
            let value = random.anyValue()
            if value == .null { continue }
            let json = value.canonicalJSON
            let read = try EntryValue(json: Array(json.utf8))
            #expect(value.canonicalByteCount == json.utf8.count)
            #expect(read == value, "\(json)")
            #expect(read.canonicalJSON.utf8.elementsEqual(json.utf8), "\(json)")
        }
    }
}
