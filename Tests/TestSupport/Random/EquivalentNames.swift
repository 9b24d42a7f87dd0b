// SPDX-License-Identifier: Apache-2.0

/// Names that Swift's `String` takes for equal, and JSON, URLs and SQL do not.
package enum EquivalentNames {
    /// Two spellings of one text in each: composed and decomposed, singletons such as the Kelvin sign, Hangul, ideographs of
    /// compatibility, and marks in another order.
    package static let pairs = [
        ("\u{E9}", "e\u{301}"), ("K", "\u{212A}"), ("\u{C5}", "\u{212B}"), ("\u{3A9}", "\u{2126}"),
        ("\u{AC00}", "\u{1100}\u{1161}"), ("\u{8C48}", "\u{F900}"), ("a\u{323}\u{307}", "a\u{307}\u{323}"),
        ("\u{1E69}", "s\u{323}\u{307}"), (";", "\u{37E}"), ("`", "\u{1FEF}"),
    ]

    /// The names of all pairs, each next to its equivalent.
    package static let all = pairs.flatMap { [$0.0, $0.1] }
}
