// SPDX-License-Identifier: Apache-2.0

/// Recognizes keys that are typed on, and meant for what was there before: after a field has closed, the rest of its text; at a
/// question, a letter of a word.
package struct TypingGuard: Hashable, Sendable {
    /// A person who looks at the screen before the next key takes longer.
    private static let pause = Duration.milliseconds(300)

    /// The time of the last key of the text; `nil` if there is none.
    private var last: ContinuousClock.Instant?
    /// The characters that were dropped.
    private var text = ""
    /// The time of the last key of all.
    private var lastKey: ContinuousClock.Instant?

    package init() {}

    /// Notes a key.
    ///
    /// - Returns: whether it follows the key before without a pause.
    package mutating func follows(at moment: ContinuousClock.Instant?) -> Bool {
        defer { lastKey = moment }
        guard let lastKey, let moment else { return false }
        return moment - lastKey < Self.pause
    }

    /// Starts when a field closes.
    ///
    /// - Parameter moment: the time of the key that closes it; `nil` if the next key comes after a pause.
    package mutating func begin(at moment: ContinuousClock.Instant?) { (last, text) = (moment, "") }

    /// Decides whether a key is dropped. After a dropped character, so are the keys that edit or end a text, such as Enter.
    /// A pause, Esc, or a character with Ctrl or Alt ends the text.
    ///
    /// - Returns: the text that was dropped so far; `nil` if the key has its effect.
    package mutating func drop(_ key: Key, at moment: ContinuousClock.Instant?) -> String? {
        let isPart = key.isTyped || !text.isEmpty && !key.isChord && key.code != .escape
        guard isPart, let former = last, let moment, moment - former < Self.pause else {
            last = nil
            return nil
        }
        last = moment
        if key.isTyped, case .character(let character) = key.code { text.append(character) }
        return text
    }
}
