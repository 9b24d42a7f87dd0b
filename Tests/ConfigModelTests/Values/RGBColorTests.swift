// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

struct RGBColorTests {
    @Test(arguments: [
        ("#FFB6C1", 0xFFB6C1), ("#ffb6c1", 0xFFB6C1), ("#FfB6c1", 0xFFB6C1), ("FFB6C1", 0xFFB6C1),
        ("ffb6c1", 0xFFB6C1), ("000000", 0x000000), ("123456", 0x123456), ("#abcdef", 0xABCDEF),
        ("#FFF", 0xFFFFFF), ("#fff", 0xFFFFFF), ("#000", 0x000000), ("#1aF", 0x11AAFF), ("#900", 0x990000),
    ])
    func readsItsThreeForms(text: String, rgb24: Int) {
        #expect(RGBColor(text)?.rgb24 == UInt32(rgb24))
    }

    @Test(arguments: [
        "", "#", "##", "zzzzzz", "#zzzzzz", "0x1234", "0x123456", "#0x1234", "FFF", "fff", "#F", "#FF", "#FFFF",
        "#RGBA",
        "#F0F8", "#FFFFF", "#FFFFFFF", "FFFFFFF", "FFFFF", "#FFB6C180", "FFB6C180", " #FFB6C1", "#FFB6C1 ", "# FFB6C1",
        "#FFB 6C1", "#FFB6C1\n", "\t#FFB6C1", "##FFB6C1", "#FFB6C1#", "+FB6C1", "-FB6C1", "#-1-1-1", "#+1+1+1",
        "#FFB6CG",
        "#FFB6C/", "#FFB6C:", "#FFB6C@", "#FFB6C`", "#ＦＦＢ６Ｃ１", "ＦＦＢ６Ｃ１", "#１２３", "#٠٠٠٠٠٠", "＃FFB6C1", "#FFB6C1\u{301}",
        "#FFB6C1\0", "pink", "rgb(1,2,3)", "#é00",
    ])
    func anythingElseIsNoColour(text: String) {
        #expect(RGBColor(text) == nil)
    }

    @Test func everyByteThatIsNoDigitIsRefusedInEveryPlace() {
        let digits = Set("0123456789abcdefABCDEF".utf8)
        for place in 0..<6 {
            for byte in UInt8.min..<0x80 {
                var text = Array("000000".utf8)
                text[place] = byte
                let color = RGBColor(String(decoding: text, as: UTF8.self))
                #expect((color != nil) == digits.contains(byte), "byte \(byte) in place \(place)")
            }
        }
    }

    @Test(arguments: [(0x000000, "#000000"), (0x00000A, "#00000A"), (0xFFB6C1, "#FFB6C1"), (0x0A0B0C, "#0A0B0C")])
    func descriptionIsSixCapitalDigits(rgb24: Int, text: String) {
        #expect(RGBColor(UInt32(rgb24)).description == text)
        #expect("\(RGBColor(UInt32(rgb24)))" == text)
    }

    @Test func channelsAndNumberSayTheSame() {
        let color = RGBColor(red: 0x12, green: 0x34, blue: 0x56)
        #expect(color.rgb24 == 0x123456)
        #expect(RGBColor(0xFF12_3456) == color, "the high byte does not count")
    }

    @Test func isReadFromAStringValueOnly() {
        #expect(RGBColor(configValue: .string("#FFB6C1")) == RGBColor(0xFFB6C1))
        #expect(RGBColor(configValue: .string("pink")) == nil)
        #expect(RGBColor(configValue: .integer(123_456)) == nil)
        #expect(RGBColor(configValue: ["#FFB6C1"]) == nil)
    }
}
