// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// Two texts that are shown next to each other. If they differ but read the same, because of Unicode normalization or of
/// invisible characters, all characters beyond ASCII become JSON escapes.
///
/// Texts of more than 4,096 bytes stay as they are.
package struct TextPair: Hashable, Sendable {
    package let old, new: String

    package init(_ old: String, _ new: String) {
        let isAlike =
            !old.hasSameScalars(as: new)
            && old.reading.map { old in new.reading.map { old == $0 } ?? false } ?? false
        (self.old, self.new) = isAlike ? (old.withEscapes, new.withEscapes) : (old, new)
    }

    /// Two representations of one thing, short ones if they differ.
    init(_ short: (String, String), orWhole whole: (String, String)) {
        let isEqual = short.0.hasSameScalars(as: short.1)
        self.init(isEqual ? whole.0 : short.0, isEqual ? whole.1 : short.1)
    }

    /// `old → new`.
    var words: String { "\(old) → \(new)" }
}

extension String {
    private static let maximumComparedBytes = 4096

    /// The visible text without quotation marks, which is compared by canonical equivalence; `nil` for a long text.
    var reading: String? {
        // Normalizing a row of combining marks takes time in the square of their number.
        guard utf8.count <= Self.maximumComparedBytes else { return nil }
        var visible = String.UnicodeScalarView()
        for scalar in unicodeScalars where scalar != "\"" && !scalar.properties.isDefaultIgnorableCodePoint {
            visible.append(scalar.properties.generalCategory == .spaceSeparator ? " " : scalar)
        }
        return String(visible)
    }

    var withEscapes: String { unicodeScalars.map { $0.isASCII ? String($0) : $0.jsonEscape }.joined() }
}
