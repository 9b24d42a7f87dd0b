// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TerminalUI

/// The authors of the last changes of keys, as far as the source records them.
struct LastChanges: Hashable, Sendable {
    /// The authors by key; a key without one is not here.
    private(set) var authors: [String: String] = [:]
    /// The width of the longest author; 0 without authors.
    let authorColumns: Int

    /// - Parameter records: the newest first.
    init(_ records: [HistoryRecord] = []) {
        for record in records where record.kind == .value && authors[record.key] == nil {
            authors[record.key] = record.author
        }
        authorColumns = authors.values.lazy.map(\.columnWidth).max() ?? 0
    }

    /// For each key the place of its author among the authors, sorted by name.
    var authorPlaces: [String: Int] {
        let places = Set(authors.values).sorted().enumerated().reduce(into: [:]) { $0[$1.element] = $1.offset }
        return authors.compactMapValues { places[$0] }
    }
}
