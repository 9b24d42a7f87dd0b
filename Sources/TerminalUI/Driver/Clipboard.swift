// SPDX-License-Identifier: Apache-2.0

import Essentials

/// The outcome of a copy to the clipboard.
public enum CopyOutcome: Hashable, Sendable {
    /// The text was sent to the terminal, which may ignore it without an answer.
    case sent
    /// The terminal has no clipboard that programs can use.
    case unsupported
    /// The text is longer than terminals accept.
    case tooLong(maximumBytes: Int)
}

/// The sequences that put a text on the clipboard (OSC 52).
enum Clipboard {
    /// The longest text, in bytes of UTF-8: its sequence has 100,000 bytes, from which on terminals ignore it.
    static let maximumBytes = 74_994

    /// The bytes for a terminal; `nil` for a text that is too long. The text is sent as base64, so that nothing in it can end
    /// the sequence or begin another one.
    static func sequence(for text: String, in kind: TerminalKind) -> [UInt8]? {
        guard text.utf8.count <= maximumBytes else { return nil }
        let sequence = Array("\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}".utf8)
        // Tmux takes it with `set-clipboard on`, and passes the second one on with `allow-passthrough on`.
        return kind == .tmux ? sequence + passedThrough(sequence) : sequence
    }

    /// A sequence for the terminal that tmux runs in: within one of tmux's own, where each escape is written twice.
    private static func passedThrough(_ sequence: [UInt8]) -> [UInt8] {
        let doubled = sequence.flatMap { $0 == 0x1B ? [0x1B, 0x1B] : [$0] }
        return Array("\u{1B}Ptmux;".utf8) + doubled + Array("\u{1B}\\".utf8)
    }
}
