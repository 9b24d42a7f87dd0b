// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import TestSupport
import Testing

@testable import ConfigServer

/// Work for one caller does not hold up that of others.
@Suite(.timeLimit(.minutes(5)))
struct WorkPoolTests {
    private final class Connection: Sendable {}

    /// Continues in steps until it is ended.
    private struct Endless: SteppedWork {
        let steps: Box<Int>
        let isOver: Box<Bool>

        mutating func step() -> Int? {
            steps.change { $0 += 1 }
            return isOver.value ? 1 : nil
        }
    }

    private static func pool(patience: TimeAmount = .minutes(4)) -> WorkPool {
        WorkPool("test", threads: 2, patience: patience)
    }

    private static func caller(_ connection: Connection, token: UInt8? = nil) -> Caller {
        let party = token.map { Caller.Party.token([$0]) } ?? .network(nil)
        return Caller(account: Caller.Account(party: party), connection: ObjectIdentifier(connection))
    }

    /// Four connections, with and without tokens, whose work never ends, and a reader beside them.
    @Test(arguments: [nil, 1] as [UInt8?])
    func readersAreServedDuringEndlessWork(token: UInt8?) async throws {
        let pool = Self.pool()
        let (isOver, reader) = (Box(false), Connection())
        let attackers = (0..<4).map { _ in (connection: Connection(), steps: Box(0)) }
        try await withThrowingTaskGroup { group in
            for attacker in attackers {
                group.addTask {
                    let work = Endless(steps: attacker.steps, isOver: isOver)
                    return try await pool.run(work, for: Self.caller(attacker.connection, token: token))
                }
            }
            try await until { attackers.allSatisfy { $0.steps.value > 0 } }
            for number in 0..<100 {
                let readerToken = number.isMultiple(of: 2) ? token : token.map { $0 + 1 }
                let answer = try await pool.run(for: Self.caller(reader, token: readerToken)) { number }
                #expect(answer == number && !isOver.value)
            }
            isOver.value = true
            #expect(try await group.reduce(0, +) == 4)
        }
    }

    #if os(Linux)
        /// As `top -H` and the records of profilers show it.
        @Test func threadsHaveTheNameOfTheirPool() async throws {
            let name = try await Self.pool().run(for: Self.caller(Connection())) {
                try String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
            }
            #expect(name == "livery-test\n")
        }
    #endif

    @Test func cancelledWorkStops() async throws {
        let pool = Self.pool()
        let (isOver, steps, connection) = (Box(false), Box(0), Connection())
        let tasks = (0..<4).map { _ in
            Task { try await pool.run(Endless(steps: steps, isOver: isOver), for: Self.caller(connection)) }
        }
        try await until { steps.value > 0 }
        for task in tasks {
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        let count = steps.value
        #expect(try await pool.run(for: Self.caller(connection)) { 7 } == 7)
        #expect(steps.value == count)
    }

    @Test func workWithoutAnEndIsRefusedInTime() async throws {
        let pool = Self.pool(patience: .milliseconds(50))
        let (isOver, connection) = (Box(false), Connection())
        try await withThrowingTaskGroup { group in
            for _ in 0..<6 {
                group.addTask {
                    do {
                        _ = try await pool.run(Endless(steps: Box(0), isOver: isOver), for: Self.caller(connection))
                        return "done"
                    } catch let problem as Problem {
                        return problem.code
                    }
                }
            }
            for try await outcome in group { #expect(outcome == "too-busy") }
        }
    }
}
