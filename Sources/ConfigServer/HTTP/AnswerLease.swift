// SPDX-License-Identifier: Apache-2.0

internal import ConfigStore
internal import Synchronization

/// The bytes of an answer that was made for one client, in the server's budget for such answers: from before the answer is made
/// until its last byte has been handed to the system, or the connection has ended. Released with the last reference.
final class AnswerLease: Sendable {
    private let budget: MemoryBudget
    private let count: Mutex<Int>
    /// How often the rows of an answer are in memory: as values and as JSON.
    private static let copiesOfRows = 2
    /// How often the text of an answer is in memory: in an array that grows, as JSON in a whole, and as a body.
    private static let copiesOfText = 3

    /// - Throws: ``Problem/tooManyAnswers`` if the budget has no room. An answer of any size fits if it is the only one.
    init(_ count: Int, of budget: MemoryBudget) throws(Problem) {
        guard budget.take(count, besides: 0) else { throw .tooManyAnswers }
        self.budget = budget
        self.count = Mutex(count)
    }

    deinit { budget.give(back: count.withLock { $0 }) }

    /// Counts what is read for the answer, beyond what was taken before.
    ///
    /// - Parameter kept: the bytes of the rows that were read before and are kept.
    func charge(after kept: Int = 0) -> ReadCharge {
        let read = Mutex(kept)
        return ReadCharge { [self] bytes in
            let total = read.withLock { read in
                read += bytes
                return read
            }
            return take(total * Self.copiesOfRows)
        }
    }

    /// Takes as much as is missing to a number of bytes.
    private func take(_ bytes: Int) -> Bool {
        count.withLock { count in
            guard bytes <= count || budget.take(bytes - count, besides: count) else { return false }
            count = max(count, bytes)
            return true
        }
    }

    /// Makes room for an answer that is written, of which there are as many bytes so far.
    func grow(to bytes: Int) throws(Problem) {
        if !take(bytes * Self.copiesOfText) { throw .tooManyAnswers }
    }

    /// Changes the number of bytes to the size of the answer.
    func resize(to bytes: Int) throws(Problem) {
        if !take(bytes) { throw .tooManyAnswers }
        count.withLock { count in
            budget.give(back: count - bytes)
            count = bytes
        }
    }
}

extension Problem {
    static let tooManyAnswers = retryLater(
        "too-many-answers",
        "memory limit for responses reached; try again in a moment, or request less data"
    )
}

/// A limit for the bytes of many requests' bodies together, or of many answers: the maximum number of connections, each
/// with its maximum, would exceed the memory of any machine.
final class MemoryBudget: Sendable {
    private let limit: Int
    private let bytes = Atomic(0)

    init(limit: Int) { self.limit = limit }

    var used: Int { bytes.load(ordering: .relaxed) }

    /// - Parameter own: how many bytes the caller has taken before: any number fits if these are the only ones. `nil` to
    ///   keep the limit in any case.
    /// - Returns: whether the bytes fit; otherwise none are taken.
    func take(_ count: Int, besides own: Int? = nil) -> Bool {
        let (old, new) = bytes.wrappingAdd(count, ordering: .relaxed)
        if new <= limit || old == own { return true }
        give(back: count)
        return false
    }

    func give(back count: Int) {
        if count > 0 { bytes.wrappingSubtract(count, ordering: .relaxed) }
    }
}
