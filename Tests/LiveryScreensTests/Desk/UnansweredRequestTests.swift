// SPDX-License-Identifier: Apache-2.0

import TerminalUI
import Testing

@testable import LiveryScreens

/// A server that stops answering during a request.
struct UnansweredRequestTests {
    /// The keys that lead to each request; the last one makes it.
    static let ways: [(request: String, keys: [String])] = [
        ("the details of a key", ["i", "Enter"]),
        ("the history of a key", ["i", "j", "h"]),
        ("the history", ["h"]),
        ("the contents of two revisions", ["h", "m", "j", "="]),
        ("the contents for a rollback", ["h", "j", "b"]),
        ("the contents for a restore of a key", ["i", "h", "j", "b"]),
        ("the contents of another source", ["C", "a", ".", "Enter"]),
        ("the check of a change", ["i", "j", "j", "e", "Space", "Enter"]),
        ("the publish of a change", ["i", "j", "j", "e", "Space", "Enter", "y"]),
        ("the rollback", ["h", "j", "b", "y"]),
        ("the restore of a key", ["i", "h", "j", "b", "y"]),
    ]

    /// The program during a request that has no answer.
    static func desk(after keys: [String], columns: Int = 80, rows: Int = 24) async throws -> EditDesk {
        var desk = try EditDesk.revised(columns: columns, rows: rows)
        // The values, and the rights of the operator.
        try await desk.answer()
        for key in keys.dropLast() { try await desk.press(key) }
        if let last = keys.last { desk.send(last) }
        return desk
    }

    @Test(arguments: ways.indices) func theScreenStaysAliveWithoutAnAnswer(way: Int) async throws {
        var desk = try await Self.desk(after: Self.ways[way].keys)
        let request = try #require(desk.requests.last { $0 != .abilities }, "\(Self.ways[way].request): \(desk.screen)")
        let writes = desk.writes
        desk.send("Esc")
        #expect(!desk.requests.contains(request), "\(Self.ways[way].request): \(desk.screen)")
        for _ in 0..<4 where desk.top != nil { desk.send("Esc") }
        #expect(desk.top == nil && desk.writes == writes, "\(desk.screen)")
        try await desk.press("?")
        #expect(desk.top == .help, "\(desk.screen)")
    }
}
