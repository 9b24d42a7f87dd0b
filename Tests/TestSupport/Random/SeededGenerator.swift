// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Random numbers that are the same for the same seed on every platform, for tests that must be repeatable.
///
/// This is SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014).
/// It is not for secrets.
package struct SeededGenerator: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    /// Starts the sequence of a seed. Print the seed in the message of a failing test.
    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

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
