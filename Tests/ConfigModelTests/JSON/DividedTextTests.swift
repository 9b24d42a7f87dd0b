// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

struct DividedTextTests {
    private static let source = "d.json"

    private func read(_ json: [UInt8]) throws(ConfigError) -> (document: ConfigDocument, text: DividedText?) {
        try DividedText.read(json, source: Self.source, atLeast: 0, distance: 1)
    }

    /// Edits and damages documents, one after another, and compares what is read of the difference with a whole reading.
    @Test(.timeLimit(.minutes(5)), arguments: [1, 2, 3] as [UInt64])
    func editsReadAsWholeDocuments(seed: UInt64) throws {
        var generator = DocumentGenerator(seed: seed)
        var (state, text, sound) = (EntrySnapshot.empty, DividedText?.none, [UInt8]())
        var outcomes: [String: Int] = [:]
        for round in 0..<4_000 {
            if round.isMultiple(of: 40) { (text, sound) = (nil, Array(generator.document(members: 40).json.utf8)) }
            let json = text == nil ? sound : change(of: sound, round, by: &generator)
            let now = Timestamp(milliseconds: Int64(round))
            let edit = text?.edit(to: json)
            let edited = edit.flatMap { state.updated(with: $0.edit, from: Self.source, at: now) }
            switch Result(catching: { () throws(ConfigError) in try read(json) }) {
            case .success(let whole):
                let expected = state.updated(with: whole.document, of: whole.text?.mark, from: Self.source, at: now)
                if let edited {
                    let shown = String(decoding: json, as: UTF8.self)
                    try #require(whole.document.problems.isEmpty, "\(shown)")
                    try #require(edited.changedKeys == expected.changedKeys, "\(shown)")
                    try #require(edited.snapshot == expected.snapshot, "\(shown)")
                }
                outcomes[edited == nil ? "whole" : "edited", default: 0] += 1
                // Of a document with a key that was left out, the next one is read as a whole.
                if text != nil, !whole.document.problems.isEmpty { continue }
                (state, text) = edited.map { ($0.snapshot, edit?.text) } ?? (expected.snapshot, whole.text)
                sound = json
            case .failure(let error):
                try #require(edited == nil, "\(error): \(String(decoding: json, as: UTF8.self))")
                outcomes["error", default: 0] += 1
            }
        }
        for outcome in ["edited", "whole", "error"] { #expect(outcomes[outcome, default: 0] > 200, "\(outcomes)") }
    }

    private func change(of json: [UInt8], _ round: Int, by generator: inout DocumentGenerator) -> [UInt8] {
        round.isMultiple(of: 3) ? generator.damaged(json) : generator.edited(json)
    }
}
