// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

struct VersionRangeTests {
    /// Ranges, and versions that are in them or not. With its type said, it compiles in a hundredth of the time.
    private static let decisions: [(range: String, version: String, isIn: Bool)] = [
        ("1.2.3", "1.2.3", true), ("1.2.3", "1.2.4", false), ("=1.2.3", "1.2.3", true), ("= 1.2.3", "1.2.3", true),
        ("1.2.3", "1.2.3+build", true), ("1.2.3", "1.2.3-rc", false), ("1.2.3-rc", "1.2.3-rc", true),
        ("*", "0.0.0", true), ("*", "9.9.9", true), ("*", "1.0.0-a", false), ("", "3.2.1", true), ("x", "1.0.0", true),
        ("X.x", "1.0.0", true), ("1", "1.0.0", true), ("1", "1.99.7", true), ("1", "2.0.0", false),
        ("1", "2.0.0-alpha", false), ("1.x", "1.5.0", true), ("1.x.x", "1.5.9", true), ("1.*", "0.9.9", false),
        ("1.2", "1.2.9", true), ("1.2", "1.3.0", false), ("1.2.x", "1.2.0", true), ("1.2.*", "1.1.9", false),
        (">1.2.3", "1.2.4", true), (">1.2.3", "1.2.3", false), (">1.2.3", "1.2.3-rc", false),
        (">1.2", "1.2.9", false), (">1.2", "1.3.0", true), (">1", "1.9.9", false), (">1", "2.0.0", true),
        (">*", "9.0.0", false), (">=1.2.3", "1.2.3", true), (">=1.2", "1.2.0", true), (">=1.2", "1.1.9", false),
        (">=*", "0.0.0", true), ("<1.2.3", "1.2.2", true), ("<1.2.3", "1.2.3", false), ("<1.2", "1.1.9", true),
        ("<1.2", "1.2.0", false), ("<1.2", "1.2.0-rc", false), ("<*", "0.0.0", false), ("<=1.2.3", "1.2.3", true),
        ("<=1.2", "1.2.9", true), ("<=1.2", "1.3.0", false), ("<=1", "1.9.9", true), ("<=*", "9.9.9", true),
        (">=1.2.0 <2.0.0", "1.2.0", true), (">=1.2.0 <2.0.0", "1.99.0", true), (">=1.2.0 <2.0.0", "2.0.0", false),
        (">=1.2.0 <2.0.0", "1.1.9", false), (">= 1.2.0   < 2.0.0", "1.5.0", true),
        ("^1.2.3", "1.2.3", true), ("^1.2.3", "1.9.0", true), ("^1.2.3", "1.2.2", false), ("^1.2.3", "2.0.0", false),
        ("^1.2.3", "2.0.0-rc", false), ("^1.2", "1.2.0", true), ("^1.2", "1.1.0", false), ("^1", "1.9.9", true),
        ("^0.2.3", "0.2.9", true), ("^0.2.3", "0.3.0", false), ("^0.0.3", "0.0.3", true), ("^0.0.3", "0.0.4", false),
        ("^0.0", "0.0.9", true), ("^0.0", "0.1.0", false), ("^0", "0.9.0", true), ("^0", "1.0.0", false),
        ("^0.0.0", "0.0.0", true), ("^0.0.0", "0.0.1", false), ("^*", "5.0.0", true),
        ("~1.2.3", "1.2.9", true), ("~1.2.3", "1.2.2", false), ("~1.2.3", "1.3.0", false), ("~1.2", "1.2.0", true),
        ("~1.2", "1.3.0", false), ("~1", "1.9.0", true), ("~1", "2.0.0", false), ("~0.0.1", "0.0.9", true),
        ("1.2.3 - 2.3.4", "1.2.3", true), ("1.2.3 - 2.3.4", "2.3.4", true), ("1.2.3 - 2.3.4", "2.3.5", false),
        ("1.2 - 2.3", "2.3.9", true), ("1.2 - 2.3", "2.4.0", false), ("1.2 - 2", "2.9.9", true),
        ("1.2 - 2", "3.0.0", false), ("1.x || 3.*", "1.4.0", true), ("1.x || 3.*", "2.4.0", false),
        ("1.x || 3.*", "3.4.0", true), ("<1.0.0||>=2.0.0", "0.1.0", true), ("<1.0.0||>=2.0.0", "1.5.0", false),
        (">=1.0.0-alpha", "1.0.0-beta", true), (">=1.0.0-alpha", "1.1.0-beta", false),
        (">=1.0.0-alpha", "1.1.0", true), ("^1.2.3-beta.2", "1.2.3-beta.4", true), ("^1.2.3-beta.2", "1.2.4", true),
        ("^1.2.3-beta.2", "1.2.3-beta.1", false), ("^1.2.3-beta.2", "1.2.4-beta.4", false),
        ("<2.0.0-rc", "2.0.0-alpha", true), ("<2.0.0", "2.0.0-alpha", false), ("~1.2.3-rc", "1.2.3-rc.1", true),
        ("9223372036854775807", "9223372036854775807.1.0", true), ("^9223372036854775807.0.0", "1.0.0", false),
        ("^18446744073709551615", "18446744073709551615.7.0", true), ("^9", "10.0.0", false),
        ("~1.18446744073709551615", "1.18446744073709551616.0", false),
    ]

    @Test(arguments: decisions)
    func decides(range: String, version: String, isIn: Bool) throws {
        let parsed = try #require(VersionRange(range))
        #expect(parsed.contains(try #require(SemanticVersion(version))) == isIn)
        #expect(parsed.description == range)
    }

    @Test(arguments: [
        "1.2.3.4", "a", "1.a", ">", ">= ", "=>1.0.0", "><1", "^^1", "~>1", "1..2", "x.1", "1.x.2", "1.*.2", "01.2",
        "-1",
        "1.2-rc", "1 - ", "1 -2", "- 2", "1 - 2 - 3", "v1", "1 | 2", ">=1,<2", "٣",
    ])
    func refuses(range: String) {
        #expect(VersionRange(range) == nil)
    }
}
