// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A normal form of Unicode (UAX #15).
package enum NormalForm: CaseIterable, Sendable {
    case nfc, nfd, nfkc, nfkd

    /// A text in this form.
    package func callAsFunction(_ text: String) -> String {
        switch self {
        case .nfc: text.precomposedStringWithCanonicalMapping
        case .nfd: text.decomposedStringWithCanonicalMapping
        case .nfkc: text.precomposedStringWithCompatibilityMapping
        case .nfkd: text.decomposedStringWithCompatibilityMapping
        }
    }

    /// A text that is another in each form: a ligature and letters with marks. All four are equal to Swift, or look alike.
    package static let sample = "\u{FB01}anc\u{E9}-\u{1E9B}\u{323}"

    /// The sample in each form, by its bytes four different texts.
    package static let samples = allCases.map { $0(sample) }

    /// The samples, each also after a mark that combines with whatever comes before it.
    package static let names = samples + samples.map { "\u{301}" + $0 }
}
