// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TestSupport
import Testing

/// Compares the reader with ``ReferenceReader``: the values, their places, and the first fault with its place and words.
struct ConfigDocumentReferenceTests {
    @Test(.timeLimit(.minutes(5))) func generatedDocumentsAndDamagedOnesReadAlike() {
        var generator = DocumentGenerator(seed: 11)
        var faults: [String: Int] = [:]
        for _ in 0..<400 {
            let sound = Array(generator.document().json.utf8)
            expectAlike(sound, &faults)
            for _ in 0..<20 { expectAlike(generator.damaged(sound), &faults) }
        }
        for code in ["none", "syntax", "invalid_key", "unsupported_value"] {
            #expect(faults[code, default: 0] > 50, "\(faults)")
        }
    }

    @Test(.timeLimit(.minutes(5))) func documentsOfFewKeysReadAlike() {
        var random = SeededGenerator(seed: 12)
        var faults: [String: Int] = [:]
        for _ in 0..<20_000 { expectAlike(Array(Self.object(depth: 0, using: &random).utf8), &faults) }
        #expect(faults["none", default: 0] > 1000 && faults["duplicate_key", default: 0] > 1000, "\(faults)")
    }

    private static let keys = ["a", "b", "c", "a.b", "b.a", "a.b.c", "\\u0061"] + EquivalentNames.all

    /// An object of keys that often are the same, in one way of nesting or another, or only look the same.
    private static func object(depth: Int, using random: inout SeededGenerator) -> String {
        let members = (0..<Int.random(in: 0..<5, using: &random)).map { _ in
            let key = keys.randomElement(using: &random) ?? "a"
            let isObject = depth < 3 && Int.random(in: 0..<2, using: &random) == 0
            return "\"\(key)\":" + (isObject ? object(depth: depth + 1, using: &random) : "1")
        }
        return "{" + members.joined(separator: [",", ", ", ",\n"].randomElement(using: &random) ?? ",") + "}"
    }

    /// Strings end where eight bytes at a time are read, or close by.
    @Test func stringsOfAnyLengthReadAlike() {
        var faults: [String: Int] = [:]
        for length in 0..<40 {
            for end in ["\"", "\\n\"", "\\", "\u{1}\"", "\u{1F}\"", "\u{7F}\"", "é\"", "\u{80}x\"", "", "\\u00e9\""] {
                let text = String(repeating: "k", count: length) + end
                expectAlike(Array("{\"\(text):1}".utf8), &faults)
                expectAlike(Array("{\"k\":\"\(text),\"l\":2}".utf8), &faults)
                expectAlike(Array("{\"k\":[\"\(text)".utf8), &faults)
            }
        }
    }

    @Test(arguments: [
        "0", "-0", "00", "-01", "1", "-1", "-", "12a", "1.", "1.0", "1e2", "1E2", "1e", "999999999999999",
        "9999999999999999", "-999999999999999", "100000000000000.5", "000000000000000", "1234567890123456",
        "9007199254740991", "9007199254740993", "1-", "1 2", "-é", "1e999", "0e1", "1.e1",
    ])
    func numbersReadAlike(number: String) {
        var faults: [String: Int] = [:]
        for text in ["{\"k\":\(number)}", "{\"k\":\(number)", "{\"k\":[\(number),\(number)]}", "{\"k\":\(number)\n}"] {
            expectAlike(Array(text.utf8), &faults)
        }
    }

    private func expectAlike(_ bytes: [UInt8], _ faults: inout [String: Int]) {
        // Other bytes have tests of their own.
        guard let text = String(validating: bytes, as: UTF8.self) else { return }
        let expected = ReferenceReader.read(text)
        do throws(ConfigError) {
            let document = try ConfigDocument(json: bytes, source: "d.json")
            faults[document.problems.first?.code.rawValue ?? "none", default: 0] += 1
            let entries = document.entries.mapValues { ReferenceReader.Entry(value: $0.value, location: $0.location) }
            let reading = ReferenceReader.Reading(entries: entries, problems: document.problems)
            if (try? expected.get()) != reading { Issue.record("\(text) is read as \(reading), not as \(expected)") }
        } catch {
            faults[error.code.rawValue, default: 0] += 1
            if case .failure(error) = expected { return }
            Issue.record("\(text): \(error), not \(expected)")
        }
    }
}
