// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct HistoryCommandTests {
    @Test(arguments: [1, 3])
    func pagesOfTheHistoryHideNoRevision(limit: Int) throws {
        let desk = try OperatorDesk()
        for command in [["a=1"], ["a=2", "b=1"], ["b=2"], ["c=1"], ["a=3", "b=3", "c=3"], ["c=4"]] {
            #expect(try desk.run(["set"] + command).status.isSuccess)
        }
        let all = try Self.revisions(desk.json("history"))
        var (read, before): ([Int], [String]) = ([], [])
        repeat {
            let output = try desk.run(["history", "-l", "\(limit)", "--json"] + before)
            let page = try jsonMembers(output.standardOutput)
            read += Self.revisions(page)
            before = (page["next"] as? Int).map { ["--before", "\($0)"] } ?? []
        } while !before.isEmpty
        #expect(read == all)
        #expect(all.count == 9)
    }

    private static func revisions(_ page: [String: Any]) -> [Int] {
        (page["history"] as? [[String: Any]] ?? []).compactMap { $0["revision"] as? Int }
    }

    @Test func nonexistentRevisionIsNotWaitedFor() throws {
        let desk = try OperatorDesk()
        let set = try desk.json("set", "a", "1")
        let revision = try #require(set["revision"] as? Int)
        #expect(try desk.run(["get", "a", "--seen", "\(revision)"]).status.isSuccess)
        for unknown in ["\(revision + 1)", "18446744073709551615"] {
            let output = try desk.run(["get", "a", "--seen", unknown])
            #expect(output.status == .exited(1), "\(output)")
            let message = "revision \(unknown) not found; the server is at revision \(revision)"
            #expect(output.standardError == "Error: \(message)\n")
        }
        // The maximum revision is answered normally, without a crash.
        let limits = ["--before", "--expect", "--if-match"]
        for (option, command) in zip(limits, [["history"], ["set", "a", "2"], ["set", "a", "2"]]) {
            let status = try desk.run(command + [option, "18446744073709551615"]).status
            #expect([.exited(0), .exited(75), .exited(65)].contains(status), "\(option): \(status)")
        }
        #expect(try desk.run(["rollback", "18446744073709551615", "--yes"]).status == .exited(65))
        #expect(try desk.run(["history", "--limit", "9223372036854775807"]).status.isSuccess)
    }
}
