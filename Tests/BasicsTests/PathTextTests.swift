// SPDX-License-Identifier: Apache-2.0

import Basics
import TestSupport
import Testing

struct PathTextTests {
    @Test(arguments: NormalForm.names + ["", "/", "/a b/\u{10FF7F}", "/\u{1F600}/\u{10FF80}", "\u{10FFFF}"])
    func textsComeBackAsTheyWere(text: String) {
        let read = String(pathBytes: Array(text.utf8))
        #expect(read.pathBytes == Array(text.utf8))
        #expect(read.carriesBytes == text.unicodeScalars.contains { $0.value >= 0x10_FF80 })
        if !read.carriesBytes { #expect(Array(read.utf8) == Array(text.utf8)) }
    }

    @Test func everyByteRoundTrips() {
        // Each byte alone, in pairs, and where it would end a sequence.
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                for bytes in [[first, second], [0x2F, 0xE2, first, second, 0x2F], [0xF4, 0x8F, first, second]] {
                    #expect(String(pathBytes: bytes).pathBytes == bytes)
                }
            }
        }
    }

    @Test func bytesThatAreNotUTF8AreCarried() {
        let text = String(pathBytes: [0x2F, 0xFF, 0xC3, 0x2F, 0xC3, 0xA9])
        #expect(text.carriesBytes)
        #expect(Array(text.unicodeScalars) == ["/", "\u{10FFFF}", "\u{10FFC3}", "/", "\u{E9}"])
        #expect(!String(pathBytes: [0x2F, 0xC3, 0xA9]).carriesBytes)
    }

    @Test func functionsOfCReceiveTheBytes() {
        #expect(String(pathBytes: [0xFF, 0x61]).withPathBytes { [$0[0], $0[1], $0[2]] } == [-1, 0x61, 0])
        #expect("\u{E9}".withPathBytes { UInt8(bitPattern: $0[1]) } == 0xA9)
    }
}
