// SPDX-License-Identifier: Apache-2.0

internal import Foundation

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
