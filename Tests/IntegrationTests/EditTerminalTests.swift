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

    /// The program on a server that has one key.
    ///
    /// - Parameter token: the token that may write.
    private func demo(
        _ server: RunningServer,
        token: String? = nil,
        environment: [String: String] = [:]
    ) throws -> RunningDemo {
        try server.publish(PublishRequest(set: [Self.key: "#FFB6C1"]), token: token)
        let demo = try RunningDemo(
            config: nil,
            arguments: [server.address],
            environment: ["XDG_CACHE_HOME": server.folder.path].merging(environment) { $1 }
        )
        try demo.waitForBackground(.indexed(217))
        return demo
    }

    private func value(_ server: RunningServer) throws -> String {
        try server.ask("GET", "/v1/default/entries/\(Self.key)").text
    }

    @Test func colourIsChangedAndUndone() throws {
        let server = try RunningServer()
        let demo = try demo(server)
        // All of it at once: what is typed before an answer has come is not lost.
        let change = ["i", "e", "\u{15}", "#87CEFA", "\r"]
        try demo.type(change.joined(), until: "✔ Valid")
        #expect(try value(server).contains("#FFB6C1"))
        let confirmation = ["\t", "sky", "\u{13}"]
        try demo.type(confirmation.joined(), until: "as revision")
        try demo.waitForBackground(.indexed(117))
        #expect(try value(server).contains("#87CEFA"))
        #expect(try server.ask("GET", "/v1/default/history?limit=1").text.contains("sky"))
        #expect((change + confirmation).count { $0.count == 1 } <= 8, "presses beyond typed text")
        try demo.type("u", until: "✔ Valid")
        try demo.type("\u{13}", until: "Undone as revision")
        try demo.waitForBackground(.indexed(217))
        #expect(try value(server).contains("#FFB6C1"))
        #expect(try demo.quit() == .exited(0))
    }

    @Test func screenLivesWhileTheServerIsSilent() throws {
        let server = try RunningServer()
        let demo = try demo(server)
        try demo.type("i", until: "e Edit")
        server.send(signal: SIGSTOP)
        try demo.type("e", until: "Reading app")
        try demo.type("\u{1B}", until: "Enter Open")
        server.send(signal: SIGCONT)
        try demo.type("e", until: "Enter Review")
        server.send(signal: SIGSTOP)
        try demo.type("\u{15}#87CEFA\r", until: "Checking")
        try demo.type("\u{1B}", until: "Enter Review")
        server.send(signal: SIGCONT)
        try demo.type("\r", until: "✔ Valid")
        #expect(try value(server).contains("#FFB6C1"))
        try demo.type("\u{1B}", until: "Enter Review")
        try demo.type("\u{18}", until: "Discard the draft")
        try demo.type("\u{13}", until: "Enter Open")
        #expect(try demo.quit() == .exited(0))
    }

    @Test func tokenThatOnlyReadsHasNoKeys() throws {
        let folder = try TemporaryDirectory(prefix: "server")
        let (writer, reader) = (
            try makeToken("writer", role: "write", in: folder), try makeToken("reader", role: "read", in: folder)
        )
        let server = try RunningServer(arguments: ["--token-file", "tokens"], folder: folder)
        let demo = try demo(server, token: writer, environment: ["LIVERY_TOKEN": reader])
        try demo.terminal.write("i")
        try demo.terminal.readUntil("no edit") { $0.contains("Enter Open") && !$0.contains("e Edit") }
        try demo.type("e", until: "requires the role write")
        #expect(try demo.quit() == .exited(0))
    }

    @Test func screenReturnsFromTheUsersEditor() throws {
        let server = try RunningServer()
        let folder = try TemporaryDirectory()
        // The first time it crashes in the middle of its screen, the second time it writes.
        try folder.write(
            """
            stty raw -echo
            if [ ! -e "$0.crashed" ]; then touch "$0.crashed"; printf '\\033[2Jbroken'; kill -9 $$; fi
            printf '#87CEFA\\n' > "$1"
            stty sane
            """,
            to: "editor"
        )
        let demo = try demo(server, environment: ["EDITOR": "sh \(folder["editor"])"])
        try demo.type("iE", until: "Not applied")
        #expect(demo.terminal.screen.isAlternate && !demo.terminal.screen.contains("broken"))
        try demo.type("\u{1B}e", until: "✔ Valid")
        try demo.type("\u{13}", until: "as revision")
        #expect(try value(server).contains("#87CEFA"))
        #expect(try demo.quit() == .exited(0))
        #expect(!demo.terminal.screen.isAlternate && demo.terminal.screen.violations == [])
    }
}
