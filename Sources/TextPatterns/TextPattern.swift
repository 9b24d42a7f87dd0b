// SPDX-License-Identifier: Apache-2.0

/// A regular expression that is searched in a text in time linear in its length.
///
/// It is a pattern of ECMA-262 with the flag `u`, as JSON Schema requires: unanchored, case-sensitive, by Unicode
/// scalars. There are classes, alternatives, greedy and lazy repeats, groups with and without names, `^`, `$`, `\b`,
/// `\B`, `\d`, `\w`, `\s` and their contraries, `\p{…}` with general categories, and all escapes of characters. What
/// cannot be matched in linear time is refused: back references, and assertions that look ahead or behind.
///
/// ```swift
/// let pattern = try TextPattern("^[a-z]+(?:-[0-9]{1,3})?$")
/// pattern.matches("eu-7")    // true
/// ```
package struct TextPattern: Sendable {
    /// The pattern as it is written.
    package let text: String

    let program: PatternProgram

    /// Reads a pattern.
    ///
    /// - Throws: ``PatternError`` with the position of the error, or if more than 2,000 steps would be needed; a counted repeat
    ///   needs the steps of its operand as often as it counts.
    package init(_ text: String) throws(PatternError) {
        self.text = text
        program = try PatternProgram(text)
    }

    /// Whether the pattern matches a part of the text.
    package func matches(_ text: String) -> Bool {
        // It can reach no limit.
        search(text, withinWork: .max).isMatch ?? false
    }

    /// Searches the text, and reports the work that it took.
    ///
    /// - Parameter limit: how many visits of a step are too many.
    /// - Returns: `nil` where the limit was reached, and the visits.
    package func search(_ text: String, withinWork limit: Int) -> (isMatch: Bool?, work: Int) {
        var matcher = PatternMatcher(program)
        let isMatch = matcher.matches(text, withinWork: limit)
        return (isMatch, matcher.work)
    }

    /// The number of steps in the pattern.
    package var stepCount: Int { program.steps.count }
}

extension TextPattern: Hashable {
    /// Equal when they are written alike, scalar by scalar.
    package static func == (left: TextPattern, right: TextPattern) -> Bool {
        left.text.unicodeScalars.elementsEqual(right.text.unicodeScalars)
    }

    /// Hashes what equality compares.
    package func hash(into hasher: inout Hasher) {
        for scalar in text.unicodeScalars { hasher.combine(scalar) }
    }
}

extension TextPattern: CustomStringConvertible {
    /// The pattern as it is written.
    package var description: String { text }
}
