// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// The authors of the last changes of keys, as far as the source records them.
struct LastChanges: Hashable, Sendable {
    /// The authors by key; a key without one is not here.
    private(set) var authors: [String: String] = [:]
    /// Why there are none, in a sentence; `nil` if there may be some.
    var reason: String?

    init(reason: String? = nil) { self.reason = reason }

    /// - Parameter records: the newest first.
    init(_ records: [HistoryRecord]) {
        for record in records where record.kind == .value && authors[record.key] == nil {
            authors[record.key] = record.author
        }
    }

    /// For each key the place of its author among the authors, sorted by name.
    var authorPlaces: [String: Int] {
        let names = Set(authors.values).sorted()
        let places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        return authors.compactMapValues { places[$0] }
    }
}
