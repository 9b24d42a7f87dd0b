// SPDX-License-Identifier: Apache-2.0

import Basics
import ConfigModel
import TerminalUI

/// The rows of the palette: the actions and the keys that match what is typed, the best first.
struct PaletteList: Sendable {
    enum Row: Hashable, Sendable {
        case action(ScreenHelp)
        case key(String)
    }

    private let actions: [ScreenHelp]
    /// All keys, sorted.
    private var keys: [String]
    private(set) var query = KeyQuery("")
    /// The keys that match; `nil` for all of them.
    private var listing: KeyListing?
    /// The matching actions and their rows.
    private var found: [(row: Int, action: ScreenHelp)] = []

    init(_ actions: [ScreenHelp], keys: [String]) {
        (self.actions, self.keys) = (actions, keys)
        place()
    }

    var isWorking: Bool { listing?.isComplete == false }
    private var keyCount: Int { listing?.found.count ?? keys.count }
    var count: Int { found.count + keyCount }

    subscript(row: Int) -> Row {
        let place = found.lowerBound { $0.row < row }
        if place < found.count, found[place].row == row { return .action(found[place].action) }
        return .key(listing?.found[row - place].key ?? keys[row - place])
    }

    mutating func filter(by text: String, in entries: ConfigEntries) {
        query = KeyQuery(text)
        listing = KeyRanking(text.isEmpty ? nil : query, KeySortOrder()).map {
            KeyListing($0, among: keys, after: listing)
        }
        continueWork(in: entries)
    }

    /// Looks at the next keys.
    mutating func continueWork(in entries: ConfigEntries) {
        listing?.continueWork(in: entries)
        place()
    }

    /// Takes in other keys.
    mutating func update(_ keys: [String], changed: [String]?, in entries: ConfigEntries) {
        self.keys = keys
        if let changed, listing?.update(changed, in: entries) == true { return place() }
        filter(by: query.text, in: entries)
    }

    /// Finds the rows of the actions among the keys.
    private mutating func place() {
        let scored = actions.compactMap { action in
            query.score(ofText: action.text).map { (rank: -$0, action: action) }
        }
        let sorted = scored.sorted { $0.rank < $1.rank }
        found = sorted.enumerated().map { index, scored in
            (index + (listing?.found.row(ofRank: scored.rank) ?? 0), scored.action)
        }
    }
}
