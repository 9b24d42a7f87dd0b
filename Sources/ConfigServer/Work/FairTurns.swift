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

    var party: Party
    /// A connection has one request at a time.
    var connection: ObjectIdentifier
}

/// Decides whose work is next: that of the waiting caller with the least use of time lately.
///
/// It compares parties first, then connections of a party, so that neither many requests nor many connections of one caller
/// delay the first request of another. Use is halved every ten seconds, and so is forgotten.
struct FairTurns {
    private struct Use {
        var seconds: Double
        var at: NIODeadline

        func seconds(at now: NIODeadline) -> Double {
            let elapsed = Double((now - at).nanoseconds) / 1e9
            return elapsed > 0 ? seconds / exp2(elapsed / FairTurns.halfLife) : seconds
        }
    }

    private struct Waiting {
        let id: Int
        let caller: Caller
    }

    private static let halfLife = 10.0
    /// A caller with less use is served by the thread that is kept free of others.
    private static let lightSeconds = 0.02
    /// Less is not worth remembering.
    private static let negligibleSeconds = 0.000_1
    private static let maximumCallers = 4096

    private var waiting: [Waiting] = []
    private var parties: [Caller.Party: Use] = [:]
    private var connections: [Caller: Use] = [:]

    var isEmpty: Bool { waiting.isEmpty }
    var count: Int { waiting.count }

    mutating func add(_ id: Int, of caller: Caller) { waiting.append(Waiting(id: id, caller: caller)) }

    /// - Returns: whether it was waiting.
    @discardableResult
    mutating func remove(_ id: Int) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// Removes the next work.
    ///
    /// - Parameter lightOnly: whether only callers who have used little are served.
    mutating func next(lightOnly: Bool, at now: NIODeadline) -> Int? {
        let uses = waiting.map { use(of: $0.caller, at: now) }
        let served = uses.indices.filter { !lightOnly || uses[$0].connection < Self.lightSeconds }
        return served.min { uses[$0] < uses[$1] }.map { waiting.remove(at: $0).id }
    }

    /// Removes the work of the caller with the most use, the newest first: it is refused where too much is waiting.
    mutating func removeHeaviest(at now: NIODeadline) -> Int? {
        let uses = waiting.map { use(of: $0.caller, at: now) }
        return uses.indices.reversed().max { uses[$0] < uses[$1] }.map { waiting.remove(at: $0).id }
    }

    mutating func used(_ time: TimeAmount, by caller: Caller, at now: NIODeadline) {
        if parties.count + connections.count >= Self.maximumCallers { forget(at: now) }
        let seconds = Double(time.nanoseconds) / 1e9
        let use = use(of: caller, at: now)
        parties[caller.party] = Use(seconds: use.party + seconds, at: now)
        connections[caller] = Use(seconds: use.connection + seconds, at: now)
    }

    private func use(of caller: Caller, at now: NIODeadline) -> (party: Double, connection: Double) {
        (parties[caller.party]?.seconds(at: now) ?? 0, connections[caller]?.seconds(at: now) ?? 0)
    }

    /// Drops callers with negligible use, or else all callers, which makes them equal again.
    private mutating func forget(at now: NIODeadline) {
        parties = parties.filter { $0.value.seconds(at: now) > Self.negligibleSeconds }
        connections = connections.filter { $0.value.seconds(at: now) > Self.negligibleSeconds }
        if parties.count + connections.count > Self.maximumCallers / 2 { (parties, connections) = ([:], [:]) }
    }
}
