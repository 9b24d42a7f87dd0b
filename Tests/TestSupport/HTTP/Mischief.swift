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
    }

    /// A few of the last that passed, to come back with.
    private let old = Mutex((answers: [WireResponse](), events: [[UInt8]]()))
    let chances: Chances<Fault>

    init(seed: UInt64, oneOf share: Int) { chances = Chances(seed: seed, oneOf: share) }

    /// The error for a response, and an older response.
    func fault(for answer: WireResponse) -> (Fault?, older: WireResponse?) {
        (chances.draw(of: .answers), old.withLock { exchange(answer, in: &$0.answers) })
    }

    /// The error for an event, and an older event.
    func fault(for event: [UInt8]) -> (Fault?, older: [UInt8]?) {
        (chances.draw(of: Fault.allCases), old.withLock { exchange(event, in: &$0.events) })
    }

    private func exchange<Message>(_ message: Message, in old: inout [Message]) -> Message? {
        let older = old.isEmpty ? nil : old[chances.number(in: 0...(old.count - 1))]
        old.append(message)
        if old.count > 64 { old.removeFirst() }
        return older
    }

    /// A place to cut at: before the first byte, after the last, or anywhere between.
    func place(in bytes: [UInt8]) -> Int { chances.number(in: 0...bytes.count) }

    /// Pauses for up to 20 ms.
    func dawdle() { _ = poll(nil, 0, Int32(chances.number(in: 1...20))) }
}

extension [Mischief.Fault] {
    fileprivate static let answers: [Mischief.Fault] = [.cut, .truncated, .delayed, .split, .replayed]
}
