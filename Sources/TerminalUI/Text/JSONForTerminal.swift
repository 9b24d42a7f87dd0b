// SPDX-License-Identifier: Apache-2.0

import Basics

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
