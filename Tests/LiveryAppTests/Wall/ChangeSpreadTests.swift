// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

@testable import LiveryApp

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

    @Test func theTimeIsFromTheFirstToTheLast() {
        var spread = Self.spread(over: 3)
        spread.hear(1, "A", at: 10)
        #expect(spread.newest == report(1, of: 3, 0))
        spread.hear(3, "A", at: 12)
        #expect(spread.newest == report(2, of: 3, 2))
        spread.hear(2, "A", at: 17)
        #expect(spread.newest == report(3, of: 3, 7))
    }

    /// They are reported in any order, since each client has a thread of its own.
    @Test func theFirstMayBeReportedLast() {
        var spread = Self.spread(over: 2)
        spread.hear(1, "A", at: 15)
        spread.hear(2, "A", at: 11)
        #expect(spread.newest == report(2, of: 2, 4))
    }

    @Test func aNewChangeIsCountedByItself() {
        var spread = Self.spread(over: 2)
        for (number, moment) in [(1, 0.0), (2, 1)] { spread.hear(number, "A", at: moment) }
        spread.hear(1, "B", at: 100)
        #expect(spread.newest == report(1, of: 2, 0))
        spread.hear(2, "B", at: 100.5)
        #expect(spread.newest == report(2, of: 2, 0.5))
    }

    @Test func aClientThatIsBehindComesThroughTheChangesBefore() {
        var spread = Self.spread(over: 2)
        for number in 1...2 { spread.hear(number, "A", at: 0) }
        spread.hear(1, "B", at: 10)
        spread.hear(1, "C", at: 20)
        spread.hear(2, "B", at: 25)
        #expect(spread.newest == report(1, of: 2, 0))
        spread.hear(2, "C", at: 31)
        #expect(spread.newest == report(2, of: 2, 11))
    }

    @Test func aClientMaySkipAChange() {
        var spread = Self.spread(over: 2)
        for number in 1...2 { spread.hear(number, "A", at: 0) }
        spread.hear(1, "B", at: 10)
        spread.hear(1, "C", at: 20)
        spread.hear(2, "C", at: 22)
        #expect(spread.newest == report(2, of: 2, 2))
    }

    @Test func whatWasThereBeforeAndComesBackIsAChange() {
        var spread = Self.spread(over: 2)
        for number in 1...2 { spread.hear(number, "A", at: 0) }
        for number in 1...2 { spread.hear(number, "B", at: 10) }
        spread.hear(1, "A", at: 20)
        #expect(spread.newest == report(1, of: 2, 0))
        spread.hear(2, "A", at: 23)
        #expect(spread.newest == report(2, of: 2, 3))
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

    @Test func aClientThatHasGoneDoesNotCount() {
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
