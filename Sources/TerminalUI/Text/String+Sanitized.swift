// SPDX-License-Identifier: Apache-2.0

internal import Basics

extension StringProtocol {
    /// The text without anything that could control a terminal, forge a line of a log or be invisible.
    ///
    /// - A tab and a line feed, also as CR LF, become one space.
    /// - Every other control character (C0, DEL, C1), bidirectional and other deprecated formatting characters,
    ///   U+2028, U+2029, U+FEFF, interlinear annotation marks, noncharacters, stray tags and the scalars that carry
    ///   bytes of a path that are not UTF-8 become U+FFFD, so that nothing disappears without a trace. Tags stay where
    ///   they spell a subdivision's flag.
    /// - U+200D stays where it joins two emoji or follows a virama, as in half forms and Sinhala conjuncts; elsewhere it is
    ///   removed.
    ///
    /// Sanitising twice changes nothing more.
    ///
    /// ```swift
    /// "\u{1B}[2Jgone\n".sanitized()   // "\u{FFFD}[2Jgone "
    /// ```
    public func sanitized() -> String {
        if isPrintableASCII || unicodeScalars.allSatisfy({ $0.fate == .kept }) { return String(self) }
        var sanitizer = Sanitizer(input: Array(unicodeScalars))
        return sanitizer.run()
    }
}

/// One pass over the scalars of a text, with a little lookahead and a little memory of the output.
private struct Sanitizer {
    let input: [Unicode.Scalar]
    var position = 0
    var output = String.UnicodeScalarView()
    /// Whether the output ends in a pictograph with nothing but presentation selectors and skin tones after it.
    var endsInEmoji = false

    var next: Unicode.Scalar? {
        position + 1 < input.count ? input[position + 1] : nil
    }

    mutating func run() -> String {
        while position < input.count {
            let scalar = input[position]
            switch scalar.fate {
            case .kept: write(scalar)
            case .space: write(" ")
            case .replaced: if !(scalar == "\r" && next == "\n") { write(.replacement) }
            case .joiner: if joinsSomething { write(scalar) }
            }
            position += 1
            if scalar == .blackFlag { copySubdivision() }
        }
        return String(output)
    }

    private mutating func write(_ scalar: Unicode.Scalar) {
        output.append(scalar)
        let extendsEmoji = scalar == .emojiPresentation || scalar == .textPresentation || scalar.isSkinTone
        endsInEmoji = scalar.isPictographic || (endsInEmoji && extendsEmoji)
    }

    /// Whether the joiner at the position joins two emoji or is next to a virama.
    private var joinsSomething: Bool {
        if endsInEmoji, let next, next.isPictographic { return true }
        return [output.last, next].contains { $0?.properties.canonicalCombiningClass == .virama }
    }

    /// Copies the tags at the position if they are a subdivision's three to six characters and the cancel tag.
    private mutating func copySubdivision() {
        let tags = input[position...].prefix(7).prefix { $0.isSubdivisionTag }
        guard (3...6).contains(tags.count), tags.endIndex < input.count, input[tags.endIndex] == .cancelTag else {
            return
        }
        for scalar in input[position...tags.endIndex] { write(scalar) }
        position = tags.endIndex + 1
    }
}

private enum ScalarFate {
    case kept, space, replaced, joiner
}

extension Unicode.Scalar {
    fileprivate var fate: ScalarFate {
        switch value {
        case 0x20..<0x7F: .kept
        case 0x09, 0x0A: .space
        case 0..<0xA0: .replaced
        case 0x200D: .joiner
        // Arabic letter mark, direction marks, separators, embeddings and overrides, isolates, deprecated controls.
        case 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x206F: .replaced
        // The byte order mark, interlinear annotation, noncharacters.
        case 0xFEFF, 0xFFF9...0xFFFB, 0xFDD0...0xFDEF: .replaced
        case _ where value & 0xFFFE == 0xFFFE: .replaced
        // A byte of a path that is not UTF-8.
        case _ where carriedByte != nil: .replaced
        case _ where isTag: .replaced
        default: .kept
        }
    }
}

extension String {
    /// JSON with everything that could control a terminal as `\uXXXX`; the line breaks between its tokens stay.
    package var escapedForTerminal: String {
        if sanitized() == self { return self }
        var text = ""
        for cluster in self {
            let piece = String(cluster)
            let isHarmless = cluster == "\n" || piece.sanitized() == piece
            let escaped = piece.unicodeScalars.map { (0x20..<0x7F).contains($0.value) ? String($0) : $0.jsonEscape }
            text += isHarmless ? piece : escaped.joined()
        }
        return text
    }
}
