// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import TerminalUI
import TestSupport

/// The two computations that a change is made of: reading the document, and finding the nearest colours.
struct MicroMeasurement: BlockingMeasurement {
    let batches: Int

    func measure() throws -> Section {
        Section(title: "Computations, in processor time", parts: try matching() + parsing())
    }

    private static let parsingNote = """
        Livery's reader also checks keys and values, refuses duplicate keys, and records line and column of each \
        value.
        """

    // MARK: Colours

    private func matching() throws -> [Section.Part] {
        var table = Table("ColorMatcher.match of a new colour", "median, ns", "p99 of the batches, ns")
        var random = SeededGenerator(seed: 4)
        var slowest = 0.0
        for (name, depth) in [("256 colours", ColorDepth.indexed256), ("8 colours", .ansi8)] {
            let matcher = ColorMatcher(depth: depth)
            let times = Distribution(try (0..<batches).map { _ in try Self.time(matcher, using: &random) })
            table.add(name, Int(times.median).grouped, Int(times.percentile(99)).grouped)
            slowest = max(slowest, times.median)
        }
        let figure = (slowest / 1000).text(1)
        return [table, Goal(promise: "a new colour costs under 50 µs", figure: figure, isMet: slowest < 50_000)]
    }

    /// Nanoseconds per colour of a batch, hardly any of which has been matched before.
    private static func time(_ matcher: ColorMatcher, using random: inout SeededGenerator) throws -> Double {
        let colors = (0..<500).map { _ in RGBColor(UInt32.random(in: 0...0xFFFFFF, using: &random)) }
        let time = try processorTime {
            for color in colors { use(matcher.match(color)) }
        }
        return time / .nanoseconds(1) / Double(colors.count)
    }

    // MARK: Documents

    private func parsing() throws -> [Section.Part] {
        var ratio = 0.0
        var table = Table("Document", "bytes", "ConfigDocument, ms", "JSONSerialization, ms", "ratio of the medians")
        for (keys, repetitions) in [(4, 200), (100_000, 1)] {
            progress("  a document of \(keys) keys")
            let json = Self.document(keys: keys)
            let (own, foundation) = try times(of: json, repetitions: repetitions)
            table.add(
                "\(keys.grouped) keys",
                json.count.grouped,
                own.text(4),
                foundation.text(4),
                (own / foundation).text(2)
            )
            ratio = own / foundation
        }
        let promise = "a document of 100,000 keys takes at most 0.4 of JSONSerialization's time"
        let goal = Goal(promise: promise, before: "0.89", figure: ratio.text(2), isMet: ratio <= 0.4)
        return [table, goal, Self.parsingNote]
    }

    /// The median milliseconds of both readers for one document, measured in turns.
    private func times(of json: [UInt8], repetitions: Int) throws -> (own: Double, foundation: Double) {
        let data = Data(json)
        var own: [Double] = []
        var foundation: [Double] = []
        for _ in 0..<max(batches / (repetitions == 1 ? 10 : 1), 3) {
            own.append(
                try processorTime {
                    for _ in 0..<repetitions { use(try ConfigDocument(json: json, source: "benchmark")) }
                }.milliseconds / Double(repetitions)
            )
            foundation.append(
                try processorTime {
                    for _ in 0..<repetitions { use(try JSONSerialization.jsonObject(with: data)) }
                }.milliseconds / Double(repetitions)
            )
        }
        return (Distribution(own).median, Distribution(foundation).median)
    }

    /// - Parameter changed: the number of the key that has another value, if one has.
    static func document(keys: Int, changed: Int? = nil) -> [UInt8] {
        let members = (0..<keys).map { number in
            let value = number == changed ? "changed number" : "value number"
            return #"    "group.\#(number / 100).key_\#(number)": "\#(value) \#(number)""#
        }
        return Array("{\n\(members.joined(separator: ",\n"))\n}\n".utf8)
    }
}
