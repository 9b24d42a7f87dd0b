// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

@testable import LiveryScreens

/// Contents are letters and moments are milliseconds.
struct ChangeSpreadTests {
    private static func spread(over count: Int) -> ChangeSpread {
        var spread = ChangeSpread()
        spread.watch((1...count).map(WallIdentity.init))
        return spread
    }

    private func report(
        _ count: Int,
        changed: Int? = nil,
        of total: Int,
        _ milliseconds: Double
    ) -> ChangeSpread.Report {
        let duration = Duration.milliseconds(milliseconds)
        return ChangeSpread.Report(count: count, changedCount: changed ?? count, total: total, duration: duration)
    }

    /// The contents of clients over time, the number that show the newest change, and its duration.
    static let stories: [(name: String, [(client: Int, Character, at: Double)], count: Int, milliseconds: Double)] = [
        ("one of two", [(1, "A", 10)], 1, 0), ("from the first to the last", [(1, "A", 10), (2, "A", 17)], 2, 7),
        // Each client has a separate thread.
        ("the first is reported last", [(1, "A", 15), (2, "A", 11)], 2, 4),
        ("a new change has begun", [(1, "A", 0), (2, "A", 1), (1, "B", 100)], 1, 0),
        ("a new change has ended", [(1, "A", 0), (2, "A", 1), (1, "B", 100), (2, "B", 100.5)], 2, 0.5),
        ("one is behind", [(1, "A", 0), (2, "A", 0), (1, "B", 10), (1, "C", 20), (2, "B", 25)], 1, 0),
        (
            "one has caught up",
            [(1, "A", 0), (2, "A", 0), (1, "B", 10), (1, "C", 20), (2, "B", 25), (2, "C", 31)], 2, 11
        ),
        ("one skips a change", [(1, "A", 0), (2, "A", 0), (1, "B", 10), (1, "C", 20), (2, "C", 22)], 2, 2),
        (
            "values come back", [(1, "A", 0), (2, "A", 0), (1, "B", 10), (2, "B", 10), (1, "A", 20), (2, "A", 23)], 2,
            3
        ),
    ]

    @Test func theNewestChangeIsReported() {
        for (name, moments, count, milliseconds) in Self.stories {
            var spread = Self.spread(over: 2)
            for (client, letter, moment) in moments { spread.hear(client, letter, at: moment) }
            #expect(spread.newest == report(count, of: 2, milliseconds), "\(name)")
        }
    }

    @Test func aClientThatComesLaterIsNotLate() {
        var spread = Self.spread(over: 2)
        for (number, moment) in [(1, 0.0), (2, 3)] { spread.hear(number, "A", at: moment) }
        spread.watch((1...3).map(WallIdentity.init))
        #expect(spread.newest == report(2, of: 3, 3))
        spread.hear(3, "A", at: 60_000)
        #expect(spread.newest == report(3, of: 3, 3))
        for (number, moment) in [(3, 70_000.0), (1, 70_001), (2, 70_004)] { spread.hear(number, "B", at: moment) }
        #expect(spread.newest == report(3, of: 3, 4))
    }

    @Test func removedClientDoesNotCount() {
        var spread = Self.spread(over: 3)
        for (number, moment) in [(1, 0.0), (2, 2), (3, 9)] { spread.hear(number, "A", at: moment) }
        spread.watch((1...2).map(WallIdentity.init))
        #expect(spread.newest == report(2, of: 2, 2))
        spread.hear(3, "B", at: 20)
        #expect(spread.newest == report(2, of: 2, 2))
    }

    @Test func onlyOtherValuesCountAsChanged() {
        var spread = Self.spread(over: 3)
        for number in 1...3 { spread.hear(number, "A", at: 0) }
        for number in 1...3 { spread.hear(number, "B", at: Double(number), isChange: number == 2) }
        #expect(spread.newest == report(3, changed: 1, of: 3, 2))
    }

    @Test func thousandsOfChangesEndOnTheLast() {
        var spread = Self.spread(over: 2)
        for number in 0..<3000 {
            let letter = Character(Unicode.Scalar(UInt8(65 + number % 26)))
            for client in 1...2 { spread.hear(client, letter, at: Double(number * 10 + client)) }
        }
        #expect(spread.newest == report(2, of: 2, 1))
    }
}

extension ChangeSpread {
    private static let start = ContinuousClock.now

    fileprivate mutating func hear(_ number: Int, _ letter: Character, at milliseconds: Double, isChange: Bool = true) {
        let content = ConfigDigest([(key: "letter", value: EntryValue.string(String(letter)))])
        let moment = Self.start + .milliseconds(milliseconds)
        let identity = WallIdentity(number: number)
        record(Arrival(identity: identity, content: content, moment: moment, isChange: isChange))
    }
}
