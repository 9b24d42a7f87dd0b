// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The next fault of a ``FaultyProxy``.
///
/// It is drawn from a seeded generator. Threads take their turns as they come, so a seed makes runs alike and not the
/// same.
package final class Mischief: Sendable {
    /// A way to harm an answer or an event.
    package enum Fault: Hashable, Sendable, CaseIterable {
        /// Some of the bytes arrive, then the connection is reset.
        case cut
        /// Some of the bytes arrive, then comes an end in good order.
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

    private struct State {
        var random: SeededGenerator
        var isBehaved = false
        var counts: [Fault: Int] = [:]
        var oldAnswers: [WireResponse] = []
        var oldEvents: [[UInt8]] = []
    }

    private let state: Mutex<State>
    private let share: Int

    init(seed: UInt64, oneOf share: Int) {
        state = Mutex(State(random: SeededGenerator(seed: seed)))
        self.share = share
    }

    func behave() { state.withLock { $0.isBehaved = true } }

    var counts: [Fault: Int] { state.withLock(\.counts) }

    /// The fault for a response, and an older response.
    func fault(for answer: WireResponse) -> (Fault?, older: WireResponse?) {
        state.withLock { state in
            let older = state.oldAnswers.randomElement(using: &state.random)
            Self.keep(answer, in: &state.oldAnswers)
            return (draw(.answers, &state), older)
        }
    }

    /// The fault for an event, and an older event.
    func fault(for event: [UInt8]) -> (Fault?, older: [UInt8]?) {
        state.withLock { state in
            let older = state.oldEvents.randomElement(using: &state.random)
            Self.keep(event, in: &state.oldEvents)
            return (draw(.events, &state), older)
        }
    }

    private func draw(_ faults: [Fault], _ state: inout State) -> Fault? {
        guard !state.isBehaved, Int.random(in: 0..<share, using: &state.random) == 0 else { return nil }
        let fault = faults.randomElement(using: &state.random)
        if let fault { state.counts[fault, default: 0] += 1 }
        return fault
    }

    /// A few of the last, to come back with.
    private static func keep<Message>(_ message: Message, in old: inout [Message]) {
        old.append(message)
        if old.count > 64 { old.removeFirst() }
    }

    /// A place to cut at: before the first byte, after the last, or anywhere between.
    func place(in bytes: [UInt8]) -> Int {
        state.withLock { Int.random(in: 0...bytes.count, using: &$0.random) }
    }

    /// Pauses for up to 20 ms.
    func dawdle() {
        let milliseconds = state.withLock { Int32.random(in: 1...20, using: &$0.random) }
        _ = poll(nil, 0, milliseconds)
    }
}

extension [Mischief.Fault] {
    fileprivate static let events = Mischief.Fault.allCases
    fileprivate static let answers: [Mischief.Fault] = [.cut, .truncated, .delayed, .split, .replayed]
}
