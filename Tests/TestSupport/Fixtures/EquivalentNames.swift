// SPDX-License-Identifier: Apache-2.0

internal import Foundation

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

/// Texts in each normal form of Unicode (UAX #15).
package enum NormalForm {
    /// A ligature and letters with marks in NFC, NFD, NFKC and NFKD. All four are equal to Swift, or look alike; by their
    /// bytes they are four different texts.
    package static let samples = [
        sample.precomposedStringWithCanonicalMapping, sample.decomposedStringWithCanonicalMapping,
        sample.precomposedStringWithCompatibilityMapping, sample.decomposedStringWithCompatibilityMapping,
    ]

    private static let sample = "\u{FB01}anc\u{E9}-\u{1E9B}\u{323}"

    /// The samples, each also after a mark that combines with whatever comes before it.
    package static let names = samples + samples.map { "\u{301}" + $0 }
}
