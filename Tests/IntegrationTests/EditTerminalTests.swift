// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import Foundation
import TestSupport
import Testing

/// The operator's work in the real program: a server, a terminal, and the user's editor.
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct EditTerminalTests {
    private static let key = "app.background.color"

    private func demo(_ server: RunningServer, environment: [String: String] = [:]) throws -> RunningDemo {
        let body = String(decoding: PublishRequest(set: [Self.key: "#FFB6C1"]).json, as: UTF8.self)
        #expect(try server.ask("PATCH", "/v1/default/entries", body: body).status == 200)
        let demo = try RunningDemo(
            config: nil,
            arguments: [server.address],
            environment: ["XDG_CACHE_HOME": server.folder.path].merging(environment) { $1 }
        )
        try demo.terminal.readUntil("pink") { $0.cell(row: 0, column: 0).visibleBackground == .indexed(217) }
        return demo
    }

    private func value(_ server: RunningServer) throws -> String {
        try server.ask("GET", "/v1/default/entries/\(Self.key)").text
    }

    @Test func colourIsChangedAndUndone() throws {
        let server = try RunningServer()
        let demo = try demo(server)
        let terminal = demo.terminal
        // All of it at once: what is typed before an answer has come is not lost.
        try terminal.write("ie\u{15}#87CEFA\r")
        try demo.waitFor("Accepted")
        #expect(try value(server).contains("#FFB6C1"))
        try terminal.write("sky\r")
        try demo.waitFor("Wrote revision")
        try terminal.readUntil("sky") { $0.cell(row: 0, column: 0).visibleBackground == .indexed(117) }
        #expect(try value(server).contains("#87CEFA"))
        #expect(try server.ask("GET", "/v1/default/history?limit=1").text.contains("sky"))
        try terminal.write("u")
        try demo.waitFor("Accepted")
        try terminal.write("\r")
        try demo.waitFor("Undone as revision")
        try terminal.readUntil("pink again") { $0.cell(row: 0, column: 0).visibleBackground == .indexed(217) }
        #expect(try value(server).contains("#FFB6C1"))
        #expect(try demo.quit() == .exited(0))
    }

    @Test func screenComesBackFromTheUsersEditor() throws {
        let server = try RunningServer()
        let folder = try TemporaryDirectory()
        // The first time it crashes in the middle of its own screen, the second time it writes.
        try folder.write(
            """
            stty raw -echo
            if [ ! -e "$0.crashed" ]; then touch "$0.crashed"; printf '\\033[2Jbroken'; kill -9 $$; fi
            printf '#87CEFA\\n' > "$1"
            stty sane
            """,
            to: "editor"
        )
        let demo = try demo(server, environment: ["EDITOR": "sh \(folder.path(to: "editor"))"])
        try demo.terminal.write("iE")
        try demo.waitFor("was killed by signal 9")
        #expect(demo.terminal.screen.isAlternate && !demo.terminal.screen.contains("broken"))
        try demo.terminal.write("\u{1B}e")
        try demo.waitFor("Accepted")
        try demo.terminal.write("\r")
        try demo.waitFor("Wrote revision")
        #expect(try value(server).contains("#87CEFA"))
        #expect(try demo.quit() == .exited(0))
        #expect(!demo.terminal.screen.isAlternate && demo.terminal.screen.violations == [])
    }
}
