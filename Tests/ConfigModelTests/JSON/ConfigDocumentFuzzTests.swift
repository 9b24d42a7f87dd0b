// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import Testing

/// Compares the reader with Foundation's on documents with random errors.
///
/// The allowed differences:
/// - A document is an object; Foundation also takes arrays, and looks for UTF-16 and UTF-32 where it sees zero bytes.
/// - Keys, duplicates, numbers and sizes have rules here. A double may be unable to represent a number that is left out.
/// - Foundation takes a comma after the last member of an object and the last element of an array.
struct ConfigDocumentFuzzTests {
    @Test(.timeLimit(.minutes(5))) func generatedDocumentsReadAsTheyWereMeant() throws {
        var generator = DocumentGenerator(seed: 1)
        for _ in 0..<1000 {
            let (json, entries) = generator.document()
            #expect(try values(of: json) == entries, "\(json)")
            _ = try JSONSerialization.jsonObject(with: Data(json.utf8))
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: [2, 3] as [UInt64])
    func damagedDocumentsAreJudgedAsFoundationDoes(seed: UInt64) {
        var generator = DocumentGenerator(seed: seed)
        var verdicts: [String: Int] = [:]
        var sound: [UInt8] = []
        for round in 0..<6_000 {
            if round.isMultiple(of: 25) { sound = Array(generator.document().json.utf8) }
            let bytes = generator.damaged(sound)
            let error = problem(in: bytes)
            verdicts[error?.code.rawValue ?? "accepted", default: 0] += 1
            if let place = error?.location, !isInside(place, bytes) { Issue.record("\(place) in \(bytes)") }
            guard let judgement = judgement(of: error, for: bytes) else { continue }
            if isAcceptedByFoundation(bytes) != judgement {
                Issue.record("\(error?.description ?? "accepted"): \(bytes)")
            }
        }
        // The damage must be neither harmless nor hopeless.
        for verdict in ["accepted", "syntax", "invalid_key", "unsupported_value"] {
            #expect(verdicts[verdict, default: 0] > 20, "\(verdicts)")
        }
    }

    /// Foundation's result for the document, or `nil` if the rules differ.
    private func judgement(of error: ConfigError?, for bytes: [UInt8]) -> Bool? {
        guard let error else { return true }
        let isObject = bytes.first { !$0.isJSONWhitespace } == UInt8(ascii: "{")
        let endsWithComma = ["expected a key in quotes, found '}'", "expected a value, found ']'"].contains(
            error.message
        )
        return error.code == .syntax && isObject && !endsWithComma && !bytes.contains(0) ? false : nil
    }

    private func isAcceptedByFoundation(_ bytes: [UInt8]) -> Bool {
        (try? JSONSerialization.jsonObject(with: Data(bytes))) != nil
    }

    private func isInside(_ place: TextLocation, _ bytes: [UInt8]) -> Bool {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard (1...lines.count).contains(place.line) else { return false }
        return (1...lines[place.line - 1].count + 1).contains(place.column)
    }
}

extension UInt8 {
    fileprivate var isJSONWhitespace: Bool { [0x20, 0x09, 0x0A, 0x0D].contains(self) }
}
