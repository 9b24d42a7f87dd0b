// SPDX-License-Identifier: Apache-2.0

import Basics

/// A row of the list of keys.
enum KeyRow: Hashable, Sendable {
    case key(String)
    /// The keys that begin with a prefix, such as `app.`.
    case group(String, count: Int)
}

/// The rows of the list of keys: by name, with folded groups, or by rank.
enum KeyRows: Sendable {
    case named([String], KeyFolds)
    case ranked(RankedKeys)

    var count: Int {
        switch self {
        case .named(_, let folds): folds.count
        case .ranked(let keys): keys.count
        }
    }

    var isEmpty: Bool { count == 0 }

    subscript(row: Int) -> KeyRow {
        switch self {
        case .named(let keys, let folds):
            let place = folds.place(ofRow: row)
            guard let group = folds.group(at: place) else { return .key(keys[place]) }
            return .group(group.prefix, count: group.keys.count)
        case .ranked(let keys): return .key(keys[row].key)
        }
    }

    /// The key of a row with its rank, or the first one of its group.
    func key(at row: Int) -> RankedKey {
        switch self {
        case .named(let keys, let folds): RankedKey(key: keys[folds.place(ofRow: row)])
        case .ranked(let keys): keys[row]
        }
    }

    /// The row of a key; of the next one, if it is not in the list.
    func row(of key: RankedKey) -> Int {
        switch self {
        case .named(let keys, let folds): folds.row(ofPlace: keys.lowerBound { $0 < key.key })
        case .ranked(let keys): keys.row(of: key)
        }
    }
}
