// SPDX-License-Identifier: Apache-2.0

/// Drops text that is typed on after a field has closed: it belongs to the field, and would run commands.
package struct TypingGuard: Hashable, Sendable {
    /// A person who looks at the screen before the next key takes longer.
    private static let pause = Duration.milliseconds(300)

    /// The time of the last key of the text; `nil` if there is none.
    private var last: ContinuousClock.Instant?
    /// The characters that were dropped.
    private var text = ""

    package init() {}

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
