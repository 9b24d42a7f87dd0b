// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// One state as a client saw it.
package struct Observation: Hashable, Sendable {
    /// The number of the client's run, which increases with each start of the program.
    package var session: Int
    /// The client's position in the store's history.
    package var cursor: RevisionCursor
    /// A fingerprint of the values that could be read.
    package var fingerprint: StateFingerprint
    /// The keys that were announced as changed; `nil` for the first state of a session, which is not announced.
    package var changedKeys: Set<String>?

    package init(
        session: Int,
        cursor: RevisionCursor,
        entries: some Sequence<(key: String, value: EntryValue)>,
        changedKeys: Set<String>?
    ) {
        (self.session, self.cursor) = (session, cursor)
        fingerprint = StateFingerprint(entries)
        self.changedKeys = changedKeys
    }
}

/// Decides whether a client's observations are explained by the published history, in order, whole and without loss.
///
/// Clients may skip revisions, since they show states; each state that they show must have been a state
/// of the store, and each announcement must name exactly the keys in which it differs from the one before.
package struct LosslessOracle {
    /// The promises that can be broken.
    package enum Promise: String, Hashable, Sendable, CaseIterable {
        /// Revisions go up.
        case order
        /// No state is announced twice.
        case uniqueness
        /// Every change between two states is announced with the later one.
        case noGap
        /// Each state is whole: that of a revision, never half a publish, never a mixture.
        case atomicity
        /// A new session begins no earlier than where the last one ended.
        case resumability
        /// After all activity has ended, the client's state equals the store's.
        case agreement
    }

    /// A broken promise.
    package struct Violation: Hashable, Sendable, CustomStringConvertible {
        package let promise: Promise
        package let description: String
    }

    private let epoch: Epoch
    private var fingerprints: [UInt64: StateFingerprint] = [:]
    private var changedKeys: [UInt64: Set<String>] = [:]
    private var last: UInt64 = 0
    /// The values of each key, in order.
    private var values: [String: [(revision: UInt64, value: EntryValue?)]] = [:]

    /// - Parameter shown: the value that a client shows for a key, given the server's values and rules.
    package init(
        _ history: PublishedHistory,
        showing shown: (_ key: String, _ entries: [String: EntryValue]) -> EntryValue? = { $1[$0] }
    ) {
        epoch = history.epoch
        var fingerprint = StateFingerprint()
        var before: [String: EntryValue] = [:]
        history.replay { revision, entries, changedKeys in
            let keys = Set(changedKeys.map { EntryKind.named($0).name })
            for key in keys {
                let value = shown(key, entries)
                if let old = before[key] { fingerprint.remove(old, forKey: key) }
                if let value { fingerprint.insert(value, forKey: key) }
                before[key] = value
                values[key, default: []].append((revision, value))
            }
            fingerprints[revision] = fingerprint
            self.changedKeys[revision] = keys
            last = revision
        }
    }

    /// Compares the observations of one client, in order, with the true history.
    package func violations(in observations: [Observation]) -> [Violation] {
        var violations: [Violation] = []
        func violate(_ promise: Promise, _ description: String) {
            violations.append(Violation(promise: promise, description: "\(promise): \(description)"))
        }
        for (index, observation) in observations.enumerated() {
            let here = observation.cursor
            if here.epoch != epoch || fingerprints[here.revision] != observation.fingerprint {
                violate(.atomicity, "what was shown as \(here) was never the state of that revision")
            }
            guard index > 0 else { continue }
            let before = observations[index - 1].cursor
            if observation.session != observations[index - 1].session {
                if here.revision < before.revision {
                    violate(.resumability, "a session began at \(here) after \(before)")
                }
                continue
            }
            if here.revision < before.revision { violate(.order, "\(here) came after \(before)") }
            if here.revision == before.revision { violate(.uniqueness, "\(here) came twice") }
            if here.revision > before.revision {
                let expected = keysDiffering(from: before.revision, to: here.revision)
                if let announced = observation.changedKeys, announced != expected {
                    let odd = announced.symmetricDifference(expected).sorted().prefix(5)
                    violate(.noGap, "from \(before) to \(here) these keys were missing or idle: \(odd)")
                }
            }
        }
        if let end = observations.last, end.cursor.revision != last || end.fingerprint != fingerprints[last] {
            violate(.agreement, "the client ended at \(end.cursor), the store at \(last)")
        }
        if observations.isEmpty, last > 0 { violate(.agreement, "the client saw nothing") }
        return violations
    }

    private func keysDiffering(from: UInt64, to: UInt64) -> Set<String> {
        var candidates: Set<String> = []
        for revision in from + 1...to { candidates.formUnion(changedKeys[revision] ?? []) }
        return candidates.filter { value(of: $0, at: from) != value(of: $0, at: to) }
    }

    private func value(of key: String, at revision: UInt64) -> EntryValue? {
        let history = values[key] ?? []
        // The history is sorted: the last record at or before the revision counts.
        var (low, high) = (0, history.count)
        while low < high {
            let middle = (low + high) / 2
            if history[middle].revision <= revision { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : history[low - 1].value
    }
}
