// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TestSupport
import Testing

@testable import ConfigRules

struct BucketingTests {
    /// Examples of RFC 8949, appendix A, as far as values of JSON have them.
    @Test(
        arguments: [
            (0, "00"), (23, "17"), (24, "1818"), (1000, "1903e8"), (1_000_000, "1a000f4240"),
            (1_000_000_000_000, "1b000000e8d4a51000"), (-1, "20"), (-100, "3863"), (-1000, "3903e7"),
            (.double(18_446_744_073_709_549_568), "1bfffffffffffff800"), (.double(1.1), "fb3ff199999999999a"),
            (.double(1.5), "f93e00"), (.double(5.960464477539063e-8), "f90001"),
            (.double(0.00006103515625), "f90400"), (.double(3.4028234663852886e+38), "fa7f7fffff"),
            (.double(1.0e+300), "fb7e37e43c8800759c"), (.double(-4.1), "fbc010666666666666"), (.double(-0.0), "00"),
            (.double(0.1), "fb3fb999999999999a"), (.double(0.333251953125), "f93555"), (false, "f4"), (.null, "f6"),
            ("", "60"), ("a", "6161"), ("IETF", "6449455446"), ("\u{fc}", "62c3bc"), ("\u{6c34}", "63e6b0b4"),
            ([], "80"),
            ([1, [2, 3], [4, 5]], "8301820203820405"), ([:], "a0"), (["a": 1, "b": [2, 3]], "a26161016162820203"),
            (["aa": 1, "b": 2], "a2616202626161 01"),
        ] as [(EntryValue, String)]
    )
    func valuesAreEncodedAsInTheStandard(value: EntryValue, hex: String) {
        let digits = DeterministicCBOR(value).bytes.map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        #expect(digits.joined() == hex.filter { $0 != " " })
    }

    /// Hashes by PyPI's mmh3 5.3.1.
    @Test(
        arguments: [
            ("", 0), ("a", 0x3c25_69b2), ("ab", 0x9bbf_d75f), ("abc", 0xb3dd_93fa), ("abcd", 0x43ed_676a),
            ("The quick brown fox jumps over the lazy dog", 0x2e4f_f723),
        ] as [(String, UInt32)]
    )
    func hashesMatchTheReference(text: String, hash: UInt32) {
        #expect(Array(text.utf8).withUnsafeBytes(MurmurHash3.hash) == hash)
    }

    /// The example of the documentation.
    @Test func bucketOfTheDocumentedUserIsAsComputed() throws {
        #expect(DeterministicCBOR.hash(ofPair: "app.color", "42") == 0x2c1a_961e)
        let split: EntryValue = ["fractional": [["a", 17], ["b", 83]]]
        let rule = try ConfigRule(["variants": ["a": 1, "b": 2], "targeting": split])
        let user = EvaluationContext(targetingKey: "42")
        #expect(rule.evaluate(key: "app.color", in: user, at: 0).variant == "b", "the bucket is 17 of 100")
    }

    /// Reads `buckets.jsonl`, or another file that `buckets.py` made: its path is in BUCKET_CASES.
    @Test func splitsAreThoseOfFlagdByEachAlgorithm() throws {
        let lines = try FixtureLines(variable: "BUCKET_CASES", or: "buckets.jsonl", in: "Reference").values
        var (counts, failures): ([EntryValue: Int], [String]) = ([:], [])
        for line in lines.map(\.elements) {
            guard case .object(let attributes) = line[3] else { throw ConfigError(.typeMismatch, "\(line)") }
            let variants = EntryObject((0..<4).map { ("v\($0)", .integer($0)) })
            let rule = try ConfigRule([
                "variants": .object(variants), "targeting": ["fractional": line[4]], "bucketing": line[0],
            ])
            let user = EvaluationContext(targetingKey: String(configValue: line[2]), attributes: attributes)
            let key = try #require(String(configValue: line[1]))
            let variant = rule.evaluate(key: key, in: user, at: 0).variant
            if variant != String(configValue: line[5]) { failures.append("\(line) is \(variant ?? "none")") }
            counts[line[0], default: 0] += 1
        }
        #expect(failures.isEmpty, "\(failures.count) of \(lines.count):\n\(failures.prefix(5).joined(separator: "\n"))")
        #expect(counts.count == RuleBucketing.allCases.count && counts.values.allSatisfy { $0 >= 200 })
    }

    /// flagd in Go falls back to the targeting key until flagd-2; its Python packages have no variant.
    @Test(arguments: [("flagd-1", true), ("flagd-2", true), ("flagd-3", false)])
    func usersWithoutTheAttributeAreDividedByTheirKey(algorithm: String, isDivided: Bool) throws {
        func variant(_ arguments: EntryValue) throws -> String? {
            let rule = try ConfigRule([
                "variants": ["a": 1, "b": 2], "targeting": ["fractional": arguments], "bucketing": .string(algorithm),
            ])
            return rule.evaluate(key: "k", in: EvaluationContext(targetingKey: "u"), at: 0).variant
        }
        let found = try variant([["var": "email"], ["a", 1], ["b", 1]])
        #expect(try found == (isDivided ? variant([["a", 1], ["b", 1]]) : nil))
    }

    /// The bucket of an explanation is one of a hundred where flagd had no others.
    @Test(arguments: [("flagd-1", 1_000, 100), ("flagd-2", 1_000, 1_000)])
    func explanationsCountTheBucketsOfTheAlgorithm(algorithm: String, weight: Int, total: Int) throws {
        let rule = try ConfigRule([
            "variants": ["a": 1], "targeting": ["fractional": [["a", .integer(weight)]]],
            "bucketing": .string(algorithm),
        ])
        let explanation = rule.explain(key: "k", in: EvaluationContext(targetingKey: "u"), at: 0)
        guard case .split(let bucket, total)? = explanation.steps.first?.decision else {
            throw ConfigError(.typeMismatch, "\(explanation)")
        }
        #expect((0..<total).contains(bucket))
    }

    /// The sizes at which the head of a text grows.
    @Test(arguments: [0, 1, 23, 24, 255, 256, 65_535, 65_536])
    func pairsAreHashedAsArraysOfTwoTexts(count: Int) {
        let text = String(repeating: "é", count: count / 2) + String(repeating: "x", count: count % 2)
        for (first, second) in [("flag", text), (text, "user"), (text, text)] {
            let array = EntryValue.array([.string(first), .string(second)])
            #expect(DeterministicCBOR.hash(ofPair: first, second) == DeterministicCBOR(array).hash)
        }
    }
}
