// SPDX-License-Identifier: Apache-2.0

/// Decides how long to wait for the end of an incomplete sequence.
struct InputTimeouts {
    private var unfinished: InputDecoder.Unfinished?
    private var begin = ContinuousClock.Instant.now

    /// The longest pause within a sequence that arrives in pieces. An ESC that is the key takes as long, except with kitty's
    /// keyboard protocol.
    static let key = Duration.milliseconds(100)
    /// The longest pause within an answer or a pasted text.
    static let sequence = Duration.seconds(1)
    /// The longest time in all: typed keys end a pause, but must not be swallowed forever.
    static let sequenceTimeout = Duration.seconds(5)
    static let pasteTimeout = Duration.seconds(3)
    /// Bytes that extend the time of a paste by a second: more than anyone types, fewer than arrive at 9,600 baud.
    static let pastedBytesPerSecond = 500.0

    /// Records the incomplete sequence after new bytes.
    ///
    /// - Parameter awaitsAnswer: whether a query is pending: an ESC is then more likely the beginning of the answer than a key.
    /// - Returns: when to give up if no more bytes come; `nil` if nothing is unfinished.
    mutating func deadline(
        for current: InputDecoder.Unfinished?,
        at now: ContinuousClock.Instant,
        awaitsAnswer: Bool
    ) -> ContinuousClock.Instant? {
        if !Self.isSame(current, unfinished) { begin = now }
        unfinished = current
        switch current {
        case nil: return nil
        case .key: return now + (awaitsAnswer ? Self.sequence : Self.key)
        case .sequence: return min(now + Self.sequence, begin + Self.sequenceTimeout)
        case .paste(let count):
            let longest = Self.pasteTimeout + .seconds(Double(count) / Self.pastedBytesPerSecond)
            return min(now + Self.sequence, begin + longest)
        }
    }

    private static func isSame(_ one: InputDecoder.Unfinished?, _ other: InputDecoder.Unfinished?) -> Bool {
        switch (one, other) {
        case (.paste, .paste): true
        default: one == other
        }
    }
}
