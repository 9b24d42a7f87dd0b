// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import ConfigServer

/// The order of work.
struct FairTurnsTests {
    /// Identifies a connection.
    private final class Connection {}

    private let connections = (0..<8).map { _ in Connection() }
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
    private var deadline: NIODeadline { start + .hours(1) }

    private func caller(_ token: UInt8, on connection: Int, in namespace: String? = nil) -> Caller {
        let account = Caller.Account(party: .token([token]), namespace: namespace)
        return Caller(account: account, connection: ObjectIdentifier(connections[connection]))
    }

    private func drain(_ turns: inout FairTurns<Int>, lightOnly: Bool = false, at now: NIODeadline) -> [Int] {
        var order: [Int] = []
        while let next = turns.next(lightOnly: lightOnly, at: now) { order.append(next) }
        return order
    }

    @Test func theLeastUserGoesFirst() {
        var turns = FairTurns<Int>()
        turns.used(.milliseconds(500), by: caller(1, on: 0), at: start)
        turns.used(.milliseconds(400), by: caller(2, on: 1), at: start)
        turns.add(1, of: caller(1, on: 0), until: deadline)
        turns.add(2, of: caller(2, on: 1), until: deadline)
        turns.add(3, of: caller(3, on: 2), until: deadline)
        #expect(drain(&turns, at: start) == [3, 2, 1])
    }

    @Test func moreConnectionsBringNoMoreTurns() {
        var turns = FairTurns<Int>()
        turns.used(.milliseconds(500), by: caller(1, on: 0), at: start)
        // New connections of a heavy caller, before the request of another.
        for connection in 1...4 { turns.add(connection, of: caller(1, on: connection), until: deadline) }
        turns.add(5, of: caller(2, on: 5), until: deadline)
        #expect(turns.next(lightOnly: false, at: start) == 5)
    }

    @Test func connectionsOfOneTokenShareItsTurns() {
        var turns = FairTurns<Int>()
        for connection in 0..<4 {
            turns.used(.milliseconds(500), by: caller(1, on: connection), at: start)
            turns.add(connection, of: caller(1, on: connection), until: deadline)
        }
        turns.add(4, of: caller(1, on: 4), until: deadline)
        #expect(drain(&turns, at: start) == [4, 0, 1, 2, 3])
    }

    @Test func namespacesOfOnePartyTakeTurns() {
        var turns = FairTurns<Int>()
        turns.used(.seconds(2), by: caller(1, on: 0, in: "big"), at: start)
        turns.add(1, of: caller(1, on: 1, in: "big"), until: deadline)
        turns.add(2, of: caller(1, on: 2, in: "small"), until: deadline)
        turns.add(3, of: caller(2, on: 3, in: "big"), until: deadline)
        #expect(drain(&turns, lightOnly: true, at: start) == [3], "a namespace that was not used makes no caller light")
        #expect(drain(&turns, at: start) == [2, 1])
    }

    @Test func theLastThreadIsForLightCallers() {
        var turns = FairTurns<Int>()
        // A new connection makes no caller light.
        for connection in 0..<6 { turns.used(.milliseconds(100), by: caller(1, on: connection), at: start) }
        turns.add(1, of: caller(1, on: 6), until: deadline)
        #expect(turns.next(lightOnly: true, at: start) == nil)
        turns.add(2, of: caller(2, on: 7), until: deadline)
        #expect(drain(&turns, lightOnly: true, at: start) == [2])
        #expect(drain(&turns, at: start) == [1])
    }

    @Test func regularCallersStayLightNextToHeavyOnes() {
        var turns = FairTurns<Int>()
        turns.used(.seconds(5), by: caller(1, on: 0), at: start)
        turns.used(.seconds(1), by: caller(2, on: 1), at: start)
        turns.add(1, of: caller(1, on: 0), until: deadline)
        #expect(turns.next(lightOnly: false, at: start) == 1)
        // While the first one is running, not longer.
        turns.add(2, of: caller(2, on: 1), until: deadline)
        turns.add(3, of: caller(1, on: 2), until: deadline)
        #expect(drain(&turns, lightOnly: true, at: start) == [2])
        turns.ended(caller(2, on: 1))
        turns.ended(caller(1, on: 0))
        turns.add(4, of: caller(2, on: 1), until: deadline)
        #expect(drain(&turns, lightOnly: true, at: start).isEmpty)
        #expect(drain(&turns, at: start) == [4, 3])
    }

    @Test func useIsForgotten() {
        var turns = FairTurns<Int>()
        turns.used(.seconds(1), by: caller(1, on: 0), at: start)
        turns.used(.milliseconds(600), by: caller(2, on: 1), at: start + .seconds(10))
        turns.add(1, of: caller(1, on: 0), until: deadline)
        turns.add(2, of: caller(2, on: 1), until: deadline)
        #expect(drain(&turns, at: start + .seconds(10)) == [1, 2])
        turns.add(1, of: caller(1, on: 0), until: deadline)
        #expect(drain(&turns, lightOnly: true, at: start + .seconds(100)) == [1])
    }

    @Test func theHeaviestIsRefusedFirst() {
        var turns = FairTurns<Int>(maximumWaiting: 3)
        turns.used(.seconds(1), by: caller(1, on: 0), at: start)
        for id in 0..<3 { turns.add(id, of: caller(id == 0 ? 2 : 1, on: id), until: deadline) }
        #expect(turns.makeRoom(at: start) == 2)
        #expect(turns.makeRoom(at: start) == nil)
        #expect(turns.remove { $0 == 0 } == 0 && drain(&turns, at: start) == [1])
    }

    @Test func whatHasWaitedTooLongIsRefused() {
        var turns = FairTurns<Int>()
        for id in 0..<3 { turns.add(id, of: caller(1, on: id), until: start + .seconds(id == 1 ? 1 : 3)) }
        #expect(turns.removeExpired(at: start).isEmpty)
        #expect(turns.removeExpired(at: start + .seconds(1)) == [1])
        #expect(drain(&turns, at: start + .seconds(2)) == [0, 2])
    }
}
