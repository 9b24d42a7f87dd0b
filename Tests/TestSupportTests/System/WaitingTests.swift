// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

struct WaitingTests {
    @Test func returnsAtOnceWhenTheConditionHolds() throws {
        var looks = 0
        try eventually {
            looks += 1
            return true
        }
        #expect(looks == 1)
    }

    @Test func looksAgain() throws {
        var looks = 0
        try eventually {
            looks += 1
            return looks == 5
        }
        #expect(looks == 5)
    }

    @Test func saysWhatWasWaitedFor() throws {
        var looks = 0
        let error = try #require(throws: DeadlineExceeded.self) {
            try eventually("the moon", deadline: .milliseconds(30), lastState: "it is day") {
                looks += 1
                return false
            }
        }
        #expect(error.description.hasPrefix("TestSupportTests/WaitingTests.swift:"))
        #expect(
            error.description.hasSuffix("waited 0.03 seconds in vain for the moon.\nThe last state was:\nit is day")
        )
        #expect(looks > 2)
    }

    @Test func looksOnceMoreAfterTheDeadline() throws {
        var looks = 0
        try eventually(deadline: .zero) {
            looks += 1
            return looks == 2
        }
    }

    @Test func waitsOnThroughSignals() async throws {
        let server = try ScriptedServer { _, _ in }
        let port = server.port
        let isQuiet = try await onDedicatedThread {
            let connection = try WireConnection(port: port)
            return withInterruptions { connection.isQuiet(for: 0.2) }
        }
        #expect(isQuiet)
    }

    @Test func passesOnErrors() {
        #expect(throws: CancellationError.self) {
            try eventually { throw CancellationError() }
        }
    }

    @Test func waitsWithoutAThread() async throws {
        let counter = Counter()
        async let counting: Void = { for _ in 0..<3 { await counter.increment() } }()
        try await eventually("three") { await counter.value == 3 }
        await counting
        await #expect(throws: DeadlineExceeded.self) {
            try await eventually(deadline: .milliseconds(10)) { await counter.value == 4 }
        }
    }

    @Test func stopsWaitingWhenCancelled() async {
        let task = Task { try await eventually(deadline: .seconds(60)) { await Task { false }.value } }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    private actor Counter {
        var value = 0

        func increment() { value += 1 }
    }
}
