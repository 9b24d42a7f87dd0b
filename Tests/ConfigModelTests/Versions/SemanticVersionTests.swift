// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TestSupport
import Testing

struct SemanticVersionTests {
    // The lists that semver.org gives with its suggested regular expression.
    @Test(arguments: [
        "0.0.4", "1.2.3", "10.20.30", "1.1.2-prerelease+meta", "1.1.2+meta", "1.1.2+meta-valid", "1.0.0-alpha",
        "1.0.0-beta", "1.0.0-alpha.beta", "1.0.0-alpha.beta.1", "1.0.0-alpha.1", "1.0.0-alpha0.valid",
        "1.0.0-alpha.0valid", "1.0.0-alpha-a.b-c-somethinglong+build.1-aef.1-its-okay", "1.0.0-rc.1+build.1",
        "2.0.0-rc.1+build.123", "1.2.3-beta", "10.2.3-DEV-SNAPSHOT", "1.2.3-SNAPSHOT-123", "1.0.0", "2.0.0", "1.1.7",
        "2.0.0+build.1848", "2.0.1-alpha.1227", "1.0.0-alpha+beta", "1.2.3----RC-SNAPSHOT.12.9.1--.12+788",
        "1.2.3----R-S.12.9.1--.12+meta", "1.2.3----RC-SNAPSHOT.12.9.1--.12", "1.0.0+0.build.1-rc.10000aaa-kk-0.1",
        "99999999999999999999999.999999999999999999.99999999999999999", "1.0.0-0A.is.legal",
        "9223372036854775808.0.0", "20261121065253.18446744073709551616.0",
    ])
    func validVersionsRoundTrip(text: String) {
        #expect(SemanticVersion(text)?.description == text)
    }

    @Test(arguments: [
        "1", "1.2", "1.2.3-0123", "1.2.3-0123.0123", "1.1.2+.123", "+invalid", "-invalid", "-invalid+invalid",
        "-invalid.01", "alpha", "alpha.beta", "alpha.beta.1", "alpha.1", "alpha+beta", "alpha_beta", "alpha.",
        "alpha..", "beta", "1.0.0-alpha_beta", "-alpha.", "1.0.0-alpha..", "1.0.0-alpha..1", "1.0.0-alpha...1",
        "1.0.0-alpha....1", "1.0.0-alpha.....1", "1.0.0-alpha......1", "1.0.0-alpha.......1", "01.1.1", "1.01.1",
        "1.1.01", "1.2.3.DEV", "1.2-SNAPSHOT", "1.2.31.2.3----RC-SNAPSHOT.12.09.1--..12+788", "1.2-RC-SNAPSHOT",
        "-1.0.3-gamma+b7718", "+justmeta", "9.8.7+meta+meta", "9.8.7-whatever+meta+meta",
        "99999999999999999999999.999999999999999999.99999999999999999----RC-SNAPSHOT.12.09.1"
            + "--------------------------------..12",
        "", " 1.0.0", "1.0.0 ", "v1.0.0", "١.٠.٠", "1.0.0-é", "+1.0.0", "1..0",
    ])
    func rejectsInvalidVersions(text: String) {
        #expect(SemanticVersion(text) == nil)
    }

    @Test func precedenceIsThatOfTheStandard() throws {
        let chain = try [
            "0.9.9", "1.0.0-0", "1.0.0-1", "1.0.0-2", "1.0.0-11", "1.0.0-99999999999999999999998",
            "1.0.0-99999999999999999999999", "1.0.0--", "1.0.0-Alpha", "1.0.0-alpha", "1.0.0-alpha.1",
            "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1", "1.1.0",
            "1.10.0", "2.0.0-alpha", "2.0.0", "2.1.0", "2.1.1", "10.0.0",
            "9223372036854775807.0.0", "9223372036854775808.0.0", "18446744073709551616.0.0",
            "100000000000000000000.9.9",
        ].map { try #require(SemanticVersion($0)) }
        for (index, version) in chain.enumerated() {
            for (other, later) in chain.enumerated() {
                #expect((version < later) == (index < other))
                #expect((version == later) == (index == other))
            }
        }
    }

    @Test(arguments: [
        ("0", "1"), ("8", "9"), ("9", "10"), ("109", "110"), ("199", "200"), ("999", "1000"),
        ("9223372036854775807", "9223372036854775808"), ("18446744073709551615", "18446744073709551616"),
    ])
    func theNextNumberIsOneMore(number: String, next: String) throws {
        let number = try #require(VersionNumber(number))
        #expect(number.next.description == next)
        #expect(number < number.next)
    }

    @Test func theBuildDoesNotCount() {
        #expect(SemanticVersion("1.0.0+a") == SemanticVersion("1.0.0+b.2"))
        #expect(Set(["1.0.0+a", "1.0.0"].compactMap { SemanticVersion($0) }).count == 1)
    }
}
