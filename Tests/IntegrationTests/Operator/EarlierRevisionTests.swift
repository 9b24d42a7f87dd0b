// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Reads of earlier revisions: the commands with `--at`, and `livery watch --since`.
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct EarlierRevisionTests {
    private let desk: OperatorDesk

    init() throws { desk = try OperatorDesk() }

    @Test func commandsReadAnEarlierRevision() throws {
        _ = try desk.json("set", "a=1", "b=x")
        _ = try desk.json("set", "a=2")
        _ = try desk.json("unset", "b")
        #expect(try desk.run("get", "a", "--at", "1").standardOutput == "1\n")
        #expect(try desk.run("get", "b", "--at", "2").standardOutput == "x\n")
        #expect(try desk.run("get", "b", "--at", "3").standardError == "Error: b: key not found at revision 3\n")
        #expect(try desk.json("export", "--at", "2") as NSDictionary == ["a": 2, "b": "x"])
        #expect(try desk.json("export", "--at", "0") as NSDictionary == [:])
        try desk.folder.write(#"{"a": 1, "b": "x"}"#, to: "first.json")
        #expect(try desk.run("diff", "first.json", "--at", "1").status == .exited(0))
        #expect(try desk.run("diff", "first.json").status == .exited(1))
        for command in [["export", "--at", "4"], ["watch", "--since", "4"]] {
            let unknown = try desk.run(command)
            #expect(unknown.status == .exited(1) && unknown.standardOutput.isEmpty)
            #expect(unknown.standardError == "Error: revision 4 does not exist yet; the namespace is at revision 3\n")
        }
    }

    @Test func aRollbackShowsEveryKeyThatItWouldChange() throws {
        let pairs = (1...60).map { "k\($0)=1" }
        let first = try desk.run(["set"] + pairs)
        #expect(first.status.isSuccess)
        _ = try desk.run(["set"] + pairs.map { $0.replacing("=1", with: "=2") })
        let plan = try desk.json("rollback", "1", "--dry-run")
        #expect((plan["changes"] as? [[String: Any]])?.count == 60)
        #expect(try desk.run("rollback", "1", "--dry-run", "--plain").standardOutput.contains("… and 40 more keys\n"))
        #expect(try desk.run("get", "k1").standardOutput == "2\n")
    }

    /// A line of `livery watch` as `key=value@revision`.
    private static func steps(_ text: String) throws -> [String] {
        try text.split(separator: "\n").filter { $0.hasPrefix("{") }.map { line in
            let step = try jsonMembers(line)
            let value = step["new"].map { $0 is NSNull ? "-" : "\($0)" } ?? "?"
            return "\(step["key"] ?? "")=\(value)@\(step["revision"] ?? "")"
        }
    }

    /// Each watch begins while others write: the history and the stream meet somewhere in the middle.
    @Test func aWatchThatBeginsAmidWritesMissesNothing() throws {
        _ = try desk.json("set", "a=0")
        let writer = Thread { for value in 1...40 { _ = try? desk.json("set", "a=\(value)") } }
        writer.start()
        let watches = try (0..<3).map { _ in try desk.onTerminal("watch", "a", "--since", "0", "--json") }
        for watch in watches {
            try watch.readUntil("the last change", deadline: .seconds(120)) { $0.contains(#""new":40}"#) }
            #expect(try Self.steps(watch.plainText) == (0...40).map { "a=\($0)@\($0 + 1)" })
            try watch.write("\u{3}")
            _ = try watch.waitForExit()
        }
    }
}
