// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Files that were replaced by a FIFO, which would have a reader wait for its writer.
@Suite(.timeLimit(.minutes(5)))
struct PipeFileTests {
    private let desk: OperatorDesk

    init() throws {
        desk = try OperatorDesk()
        #expect(mkfifo(desk.folder["fifo"], 0o600) == 0)
    }

    @Test(arguments: [
        ["list", "--token-file", "fifo"], ["login", "--token-file", "fifo"], ["import", "fifo"], ["diff", "fifo"],
        ["set", "a", "@fifo"], ["schema", "set", "--from", "fifo"], ["rule", "set", "a", "fifo"],
        ["rule", "preview", "a", "--contexts", "fifo"], ["--plain", "fifo"], ["list", "--ca-certificate", "fifo"],
        ["list", "--client-certificate", "fifo"],
    ])
    func fifoIsAnError(arguments: [String]) throws {
        let output = try desk.run(arguments)
        #expect(output.status == .exited(arguments[0] == "login" ? 0 : 66), "\(output)")
    }

    /// `<(…)` of a shell is a pipe that is open already.
    @Test func openPipeIsRead() throws {
        try desk.folder.write(#"{"a": 1}"#, to: "values.json")
        let script = #"cat values.json | "$0" "$@" /dev/fd/3 3<&0"#
        let output = try desk.run(["import"], script: script)
        #expect(output.status == .exited(0), "\(output)")
        #expect(try desk.run("get", "a").standardOutput == "1\n")
    }
}
