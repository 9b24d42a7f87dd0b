// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// ``VirtualScreen`` must interpret a stream of bytes as a real tmux does.
@Suite(.enabled(if: Tmux.isInstalled, "this needs tmux, which Scripts/test installs"), .timeLimit(.minutes(5)))
struct TmuxComparisonTests {
    @Test(arguments: 0..<24 as Range<UInt64>)
    func agreesOnRandomStreams(seed: UInt64) throws {
        var pieces = RandomStream(seed: seed, columns: 40, rows: 10).pieces
        // A busy machine may have been too slow once; what really differs does so each time.
        guard try !differences(pieces).isEmpty, try !differences(pieces).isEmpty else { return }
        // The rest is the smallest stream that still differs, for a person to read.
        var size = pieces.count / 2
        while size > 0 {
            var start = 0
            while start < pieces.count {
                var fewer = pieces
                fewer.removeSubrange(start..<min(start + size, pieces.count))
                if try differences(fewer).isEmpty { start += size } else { pieces = fewer }
            }
            size /= 2
        }
        Issue.record("\(pieces): \(try differences(pieces).prefix(3))")
    }

    /// In what the screen is unlike that of a tmux client on a terminal, whose window got the same stream.
    private func differences(_ pieces: [String]) throws -> [String] {
        let stream = pieces.joined()
        let folder = try TemporaryDirectory()
        let file = try folder.write(stream + "\u{1B}]2;the end\u{1B}\\", to: "stream")
        // Without output processing the bytes reach tmux as they are.
        let script = "stty raw -echo; printf '\\033]2;ready\\033\\\\'; read -r line; cat \(file); exec cat"
        let tmux = try Tmux(running: .shell(script), columns: 40, rows: 10)
        try tmux.control(["set-option", "-g", "set-titles", "on", ";", "set-option", "-g", "set-titles-string", "#T"])
        let client = try PseudoTerminal(running: tmux.attachCommand(), columns: 40, rows: 10)
        try client.readUntil("tmux to be ready") { $0.title == "ready" }
        try client.write("\n")
        try client.readUntil("tmux to have read the stream") { $0.title == "the end" }

        var expected = VirtualScreen(columns: 40, rows: 10)
        expected.feed(stream)
        var differences: [String] = []
        do {
            try client.readUntil(deadline: .seconds(5)) {
                differences = expected.differences(from: $0)
                return differences.isEmpty
            }
        } catch is WaitError {}
        return differences
    }
}
