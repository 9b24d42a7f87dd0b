// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The next error of a ``FaultyProxy``.
package final class Mischief: Sendable {
    /// A way to harm an answer or an event.
    package enum Fault: Hashable, Sendable, CaseIterable {
        /// Some of the bytes arrive, then the connection is reset.
        case cut
        /// Some of the bytes arrive, then a regular end.
        case truncated
        /// It comes late.
        case delayed
        /// It comes in two pieces, cut anywhere.
        case split
        /// It comes twice. Events only.
        case repeated
        /// An old answer comes in its place, or an old event after it.
        case replayed
        /// It comes after the one that follows it. Events only.
        case reordered
        /// It never comes. Events only.
        case lost

        fileprivate static let ofAnswers: [Fault] = [.cut, .truncated, .delayed, .split, .replayed]
    }

    /// What passes.
    enum Kind {
        case answer
        case event
    }

    /// A few of the last that passed, to come back with.
    private let old = Mutex<[Kind: [[UInt8]]]>([:])
    let chances: Chances<Fault>

    init(seed: UInt64, oneOf share: Int) { chances = Chances(seed: seed, oneOf: share) }

    /// The error for an answer or an event, and an older one.
    func fault(for bytes: [UInt8], of kind: Kind) -> (Fault?, older: [UInt8]?) {
        let fault = chances.draw(of: kind == .event ? Fault.allCases : Fault.ofAnswers)
        let older = old.withLock { old in
            var known = old[kind, default: []]
            let older = known.isEmpty ? nil : known[chances.number(in: 0...(known.count - 1))]
            known.append(bytes)
            old[kind] = known.suffix(64)
            return older
        }
        return (fault, older)
    }

    /// A place to cut at: before the first byte, after the last, or anywhere between.
    func place(in bytes: [UInt8]) -> Int { chances.number(in: 0...bytes.count) }

    /// Pauses for up to 20 ms.
    func dawdle() { _ = poll(nil, 0, Int32(chances.number(in: 1...20))) }
}
