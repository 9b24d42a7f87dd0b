// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import NIOCore

/// The sender of a request, as far as it matters for sharing the server's time.
struct Caller: Hashable, Sendable {
    enum Party: Hashable, Sendable {
        /// The holder of a token, by the token's hash.
        case token([UInt8])
        /// Without tokens, the network that the request came from.
        case network(IPAddress?)
    }

    /// A party's work for one namespace; of work that no namespace shares, all of it.
    struct Account: Hashable, Sendable {
        var party: Party
        var namespace: String?
    }

    var account: Account
    /// A connection has one request at a time.
    var connection: ObjectIdentifier
}

/// The items that wait for their turn, and the decision whose turn is next: that of the caller with the least use of time lately.
///
/// It compares parties first, then the namespaces and then the connections of a party, so that neither many requests nor many
/// connections of one caller delay the first request of another. Use is halved every ten seconds, and so is forgotten.
struct FairTurns<Item> {
    private struct Use {
        var seconds: Double
        var at: NIODeadline

        func seconds(at now: NIODeadline) -> Double {
            let elapsed = Double((now - at).nanoseconds) / 1e9
            return elapsed > 0 ? seconds / exp2(elapsed / halfLife) : seconds
        }
    }

    private static var halfLife: Double { 10 }
    /// A connection with less use is light, unless its party makes many such connections.
    private static var lightSeconds: Double { 0.02 }
    private static var lightPartySeconds: Double { 0.5 }
    /// Less is not worth remembering.
    private static var negligibleSeconds: Double { 0.000_1 }
    private static var maximumCallers: Int { 4096 }

    private let maximumWaiting: Int
    private var waiting: [(item: Item, caller: Caller, deadline: NIODeadline)] = []
    /// The callers whose work is being done.
    private var running: [Caller] = []
    private var parties: [Caller.Party: Use] = [:]
    private var accounts: [Caller.Account: Use] = [:]
    private var connections: [ObjectIdentifier: Use] = [:]

    /// - Parameter maximumWaiting: the number of items beyond which some are refused.
    init(maximumWaiting: Int = 1024) { self.maximumWaiting = maximumWaiting }

    var isEmpty: Bool { waiting.isEmpty }

    /// Adds an item that waits until a deadline.
    mutating func add(_ item: Item, of caller: Caller, until deadline: NIODeadline) {
        waiting.append((item, caller, deadline))
    }

    /// Removes the item of the caller with the most use, the newest first, if too many wait: it is refused.
    mutating func makeRoom(at now: NIODeadline) -> Item? {
        guard waiting.count >= maximumWaiting else { return nil }
        let uses = waiting.map { use(of: $0.caller, at: now) }
        return uses.indices.reversed().max { uses[$0] < uses[$1] }.map { waiting.remove(at: $0).item }
    }

    /// Whether an item waits.
    func contains(where isMeant: (Item) -> Bool) -> Bool { waiting.contains { isMeant($0.item) } }

    /// Removes an item that waits.
    mutating func remove(where isMeant: (Item) -> Bool) -> Item? {
        waiting.firstIndex { isMeant($0.item) }.map { waiting.remove(at: $0).item }
    }

    /// Removes the items that have waited too long.
    mutating func removeExpired(at now: NIODeadline) -> [Item] {
        guard waiting.contains(where: { $0.deadline <= now }) else { return [] }
        defer { waiting.removeAll { $0.deadline <= now } }
        return waiting.filter { $0.deadline <= now }.map { $0.item }
    }

    /// Removes the next item, which is then running until ``ended(_:)``.
    ///
    /// - Parameter lightOnly: whether only callers are served who have used little, or much less than those whose work is
    ///   running.
    mutating func next(lightOnly: Bool, at now: NIODeadline) -> Item? {
        let uses = waiting.map { use(of: $0.caller, at: now) }
        let heaviest = running.map { use(of: $0, at: now).party }.max() ?? 0
        let served = uses.indices.filter { index in
            let (party, _, connection) = uses[index]
            let isLight = connection < Self.lightSeconds && party < Self.lightPartySeconds
            return !lightOnly || isLight || party * 2 < heaviest
        }
        guard let index = served.min(by: { uses[$0] < uses[$1] }) else { return nil }
        let next = waiting.remove(at: index)
        running.append(next.caller)
        return next.item
    }

    /// The work of a caller is not running any more.
    mutating func ended(_ caller: Caller) {
        if let index = running.firstIndex(of: caller) { running.remove(at: index) }
    }

    mutating func used(_ time: TimeAmount, by caller: Caller, at now: NIODeadline) {
        if parties.count + accounts.count + connections.count >= Self.maximumCallers { forget(at: now) }
        let seconds = Double(time.nanoseconds) / 1e9
        let use = use(of: caller, at: now)
        parties[caller.account.party] = Use(seconds: use.party + seconds, at: now)
        accounts[caller.account] = Use(seconds: use.account + seconds, at: now)
        connections[caller.connection] = Use(seconds: use.connection + seconds, at: now)
    }

    private func use(of caller: Caller, at now: NIODeadline) -> (party: Double, account: Double, connection: Double) {
        let uses = (parties[caller.account.party], accounts[caller.account], connections[caller.connection])
        return (uses.0?.seconds(at: now) ?? 0, uses.1?.seconds(at: now) ?? 0, uses.2?.seconds(at: now) ?? 0)
    }

    /// Drops callers with negligible use, or else all callers, which makes them equal again.
    private mutating func forget(at now: NIODeadline) {
        parties = parties.filter { $0.value.seconds(at: now) > Self.negligibleSeconds }
        accounts = accounts.filter { $0.value.seconds(at: now) > Self.negligibleSeconds }
        connections = connections.filter { $0.value.seconds(at: now) > Self.negligibleSeconds }
        if parties.count + accounts.count + connections.count > Self.maximumCallers / 2 {
            (accounts, connections) = ([:], [:])
        }
        if parties.count > Self.maximumCallers / 2 { parties = [:] }
    }
}
