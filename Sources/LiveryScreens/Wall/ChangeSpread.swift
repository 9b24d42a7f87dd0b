// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// The number of a client on a wall, from 1 and stable while it exists.
struct WallIdentity: Hashable, Sendable, CustomStringConvertible {
    let number: Int

    /// The name that the client goes by, such as `wall-3`.
    var description: String { "wall-\(number)" }
}

/// The moment at which a client showed new values.
struct Arrival: Hashable, Sendable {
    let identity: WallIdentity
    /// The identity of the values, the same at every client.
    let content: ConfigDigest
    let moment: ContinuousClock.Instant
    /// Whether an existing value of the client changed.
    var isChange = true
}

/// The spread of a change over the clients of one source, each of which receives it at a different time.
///
/// Clients go through the same changes in the same order, but a slow one may skip some. So the change that a client shows now
/// is the first one with this content after the one that it showed.
struct ChangeSpread: Hashable, Sendable {
    private struct Change: Hashable {
        let number: Int
        let content: ConfigDigest
        /// The clients that existed when the change began; later ones do not count as late.
        var audience: Set<WallIdentity>
        var arrivals: [WallIdentity: ContinuousClock.Instant] = [:]
        /// The clients that show other values since it has arrived.
        var changed: Set<WallIdentity> = []
    }

    /// The number of the change that each client shows; `nil` until it shows anything.
    private var shown: [WallIdentity: Int?] = [:]
    /// Oldest first; one that a client has yet to come to is not forgotten soon.
    private var changes: [Change] = []

    private static let maximumChanges = 64

    /// The clients that exist from now on.
    mutating func watch(_ identities: some Sequence<WallIdentity>) {
        let present = Set(identities)
        shown = shown.filter { present.contains($0.key) }
        for identity in present where shown[identity] == nil { shown[identity] = .some(nil) }
        for index in changes.indices {
            changes[index].audience.formIntersection(present)
            changes[index].arrivals = changes[index].arrivals.filter { present.contains($0.key) }
            changes[index].changed.formIntersection(present)
        }
    }

    mutating func record(_ arrival: Arrival) {
        guard let former = shown[arrival.identity] else { return }
        let index = index(of: arrival.content, after: former) ?? begin(arrival.content)
        shown[arrival.identity] = changes[index].number
        if arrival.isChange { changes[index].changed.insert(arrival.identity) }
        guard changes[index].audience.contains(arrival.identity) else { return }
        changes[index].arrivals[arrival.identity] = arrival.moment
    }

    private func index(of content: ConfigDigest, after former: Int?) -> Int? {
        guard let former else { return changes.lastIndex { $0.content == content } }
        return changes.firstIndex { $0.number > former && $0.content == content }
    }

    private mutating func begin(_ content: ConfigDigest) -> Int {
        let number = (changes.last?.number ?? 0) + 1
        // Before the first change no client shows anything, and later new clients do not.
        let audience = shown.filter { changes.isEmpty || $0.value != nil }
        changes.append(Change(number: number, content: content, audience: Set(audience.keys)))
        if changes.count > Self.maximumChanges { changes.removeFirst() }
        return changes.count - 1
    }
}

extension ChangeSpread {
    /// The progress of the newest change.
    struct Report: Hashable {
        /// The number of clients that show it.
        var count: Int
        /// The number of these clients whose values changed.
        var changedCount: Int
        /// The number of clients.
        var total: Int
        /// The time from the first to the last that has it.
        var duration: Duration
    }

    /// `nil` before the first change.
    var newest: Report? {
        guard let change = changes.last else { return nil }
        let moments = change.arrivals.values.sorted()
        let duration = zip(moments.prefix(1), moments.suffix(1)).map { $0.duration(to: $1) }.first ?? .zero
        let holders = shown.filter { $0.value == change.number }
        let changedCount = change.changed.count { holders[$0] != nil }
        return Report(count: holders.count, changedCount: changedCount, total: shown.count, duration: duration)
    }
}
