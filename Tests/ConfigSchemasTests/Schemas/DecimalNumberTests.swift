// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

@testable import ConfigSchemas

/// Multiples by the decimals as they are written.
struct DecimalNumberTests {
    private static func number(_ text: String) throws -> DecimalNumber {
        try #require(DecimalNumber(try EntryValue(json: Array(text.utf8))))
    }

    @Test(arguments: [
        ("0.3", "0.1"), ("0", "7"), ("-0.3", "0.1"), ("1e308", "0.5"), ("19.99", "0.01"), ("1.1", "1.1"),
        ("4.5", "1.5"),
        ("1e-7", "1e-8"), ("9007199254740991", "1"), ("1e21", "1e-300"), ("1.234e20", "4"), ("5e-324", "5e-324"),
        ("1.7976931348623157e308", "1e-5"), ("100", "1e2"), ("1e300", "8"),
        ("9.87654321e25", "9.87654321"),
    ])
    func isAMultiple(number: String, divisor: String) throws {
        #expect(try Self.number(number).isMultiple(of: Self.number(divisor)))
    }

    @Test(arguments: [
        ("0.35", "0.1"), ("7", "2"), ("1", "10"), ("0.1", "0.3"), ("1e308", "0.123456789"), ("1e-8", "1e-7"),
        ("9007199254740991", "1.5"), ("1e300", "3"), ("5e-324", "1e-300"), ("1e21", "7"), ("10", "100"),
    ])
    func isNoMultiple(number: String, divisor: String) throws {
        #expect(try !Self.number(number).isMultiple(of: Self.number(divisor)))
    }

    @Test func anythingElseIsNoNumber() {
        let others: [EntryValue] = [.null, true, "1", .array([]), .double(.infinity), .double(.nan)]
        #expect(others.allSatisfy { DecimalNumber($0) == nil })
    }
}
