// SPDX-License-Identifier: Apache-2.0

import TerminalUI

extension ScrolledList {
    /// The lines of the sections that have each word of the search, in any case; all without a search.
    func found<Target>(in sections: [[ActiveLine<Target>]]) -> [ActiveLine<Target>] {
        guard let search, !search.text.isEmpty else { return Array(sections.joined()) }
        let words = FilterWord.words(of: search.text)
        let found = sections.filter { lines in
            let text = lines.flatMap { $0.spans.map(\.text) + [" "] }.joined()
            return words.allSatisfy { $0.isIn(text) }
        }
        return found.isEmpty ? [ActiveLine([.init("No matches", .dimmed)])] : Array(found.joined())
    }
}
