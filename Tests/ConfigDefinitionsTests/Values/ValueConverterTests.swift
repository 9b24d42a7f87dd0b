// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Foundation
import Testing

struct ValueConverterTests {
    @Test func convertersAreComposed() throws {
        let seconds = Int.configConverter.mapped(typeName: "seconds") {
            Duration.seconds($0)
        } from: {
            Int($0.components.seconds)
        }
        let converter = seconds.optional.array
        #expect(converter.text(of: [.seconds(1), nil]) == "[1,null]")
        #expect(try converter.value(ofText: "[null, 2]") == [nil, .seconds(2)])
        #expect(converter.form.typeName == "array of optional seconds")
        #expect(converter.form.content?.content?.typeName == "seconds")
    }

    @Test(arguments: [
        ("seven", "\"seven\" is not an integer"), ("1.5", "1.5 is not an integer"),
        ("", "\"\" is not an integer"),
        ("9223372036854775808", "9223372036854776000 is not an integer"),
    ])
    func malformedTextNamesTheExpectedFormat(_ text: String, _ message: String) {
        #expect(throws: ConfigError(.typeMismatch, message)) { try Int.configConverter.value(ofText: text) }
    }

    @Test func textIsEditedWithoutQuotationMarks() throws {
        #expect(String.configConverter.text(of: "say \"Meow\"") == "say \"Meow\"")
        #expect(try String.configConverter.value(ofText: "42") == "42")
        #expect(Appearance.configConverter.text(of: .highContrast) == "high contrast")
        #expect(String?.configConverter.text(of: "a") == "\"a\"")
    }

    @Test func aWholeNumberMayBeWrittenWithAPoint() throws {
        #expect(try Int.configConverter.value(ofText: "3.0") == 3)
        #expect(try Double.configConverter.value(ofText: "3") == 3)
    }

    @Test func nestingIsLimited() throws {
        let allowed = String(repeating: "[", count: 63) + String(repeating: "]", count: 63)
        #expect(try EntryValue(text: allowed).canonicalJSON == allowed)
        #expect(throws: ConfigError.self) { try EntryValue(text: String(repeating: "[", count: 100_000)) }
    }
}
