// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The chances by which a proxy harms what passes.
///
/// They are drawn from a seeded generator. Threads take their turns as they come, so a seed makes runs alike and not the
/// same.
package final class Chances<Fault: Hashable & Sendable>: Sendable {
    private struct State {
        var random: SeededGenerator
        var isOn: Bool
        var counts: [Fault: Int] = [:]
    }

    private let state: Mutex<State>
    private let share: Int

    /// - Parameters:
    ///   - seed: the seed of the random numbers.
    ///   - share: one of so many draws does harm.
    ///   - isOn: whether harm is allowed at once.
    package init(seed: UInt64, oneOf share: Int, isOn: Bool = true) {
        state = Mutex(State(random: SeededGenerator(seed: seed), isOn: isOn))
        self.share = share
    }

    /// Allows harm.
    package func begin() { state.withLock { $0.isOn = true } }

    /// Allows no more harm.
    func end() { state.withLock { $0.isOn = false } }

    /// The number of each kind of harm so far.
    package var counts: [Fault: Int] { state.withLock(\.counts) }

    package func draw(of faults: [Fault]) -> Fault? {
        state.withLock { state in
            guard state.isOn, Int.random(in: 0..<share, using: &state.random) == 0 else { return nil }
            let fault = faults.randomElement(using: &state.random)
            if let fault { state.counts[fault, default: 0] += 1 }
            return fault
        }
    }

    func number(in range: ClosedRange<Int>) -> Int { state.withLock { Int.random(in: range, using: &$0.random) } }
}
