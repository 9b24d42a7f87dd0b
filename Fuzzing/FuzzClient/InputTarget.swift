// SPDX-License-Identifier: Apache-2.0

import FuzzKit

@testable import TerminalUI

extension FuzzTarget {
    /// The input of a terminal. The first byte selects how it is divided.
    ///
    /// The events are independent of how the bytes are divided and bounded, a key is parsed from its name, and the end of a
    /// paste resets the decoder from any state.
    static let input = FuzzTarget("input") { bytes in
        var input = FuzzInput(bytes)
        let length = Int(input.byte()) + 1
        let sent = Array(input.rest)
        var whole = InputDecoder()
        let events = whole.feed(sent)
        for length in [1, length] {
            var decoder = InputDecoder()
            let cut = sent.pieces(of: length).flatMap { decoder.feed($0) }
            require(cut == events, "in pieces of \(length): \(cut), whole: \(events)")
            require(decoder.state == whole.state && decoder.unfinished == whole.unfinished, "\(decoder), \(whole)")
        }
        require(events.count <= sent.count, "\(events.count) events of \(sent.count) bytes")
        require(whole.collected.count <= InputDecoder.maximumPaste + 6, "\(whole.collected.count) bytes are kept")
        let last = whole.flush()
        require(whole.unfinished == nil, "unfinished after a pause")
        for event in events + last { requireSound(event) }
        let end = whole.feed(Array("\u{1B}[201~q".utf8))
        require(end.last == .key(.character("q")) && whole.state == .ground, "\(end) at last")
    }

    private static func requireSound(_ event: InputEvent) {
        switch event {
        case .key(let key): require(Key(key.description) == key, "\(key) reads back as another")
        case .mouse(let mouse): require(mouse.point.column >= 0 && mouse.point.row >= 0, "\(mouse)")
        case .paste(let text): require(text.utf8.count <= InputDecoder.maximumPaste * 3, "too long a paste")
        case .focus, .reply: break
        }
    }
}
