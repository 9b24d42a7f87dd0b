// SPDX-License-Identifier: Apache-2.0

internal import ConfigStore
internal import Synchronization

/// The bytes of an answer that was made for one client, in the server's budget for such answers: from before the answer is made
/// until its last byte has been handed to the system, or the connection has ended. Released with the last reference.
final class AnswerLease: Sendable {
    private let budget: MemoryBudget
    private let count: Mutex<Int>
    /// The bytes that have been read for the answer.
    private let charged = Atomic(0)

    /// - Throws: ``Problem/tooManyAnswers`` if the budget has no room. An answer of any size fits if it is the only one.
    init(_ count: Int, of budget: MemoryBudget) throws(Problem) {
        guard budget.take(count, besides: 0) else { throw .tooManyAnswers }
        self.budget = budget
        self.count = Mutex(count)
    }

    deinit { budget.give(back: count.withLock { $0 }) }

    /// Counts what is read for the answer, beyond what was taken before: each row as what it is and as what will be written of it.
    var charge: ReadCharge {
        ReadCharge { [self] bytes in
            let total = charged.wrappingAdd(2 * bytes, ordering: .relaxed).newValue
            return count.withLock { count in
                if total <= count { return true }
                guard budget.take(total - count, besides: count) else { return false }
                count = total
                return true
            }
        }
    }

    /// Changes the number of bytes to the known size.
    func resize(to bytes: Int) throws(Problem) {
        let fits = count.withLock { count in
            if bytes > count, !budget.take(bytes - count, besides: count) { return false }
            budget.give(back: count - bytes)
            count = bytes
            return true
        }
        if !fits { throw .tooManyAnswers }
    }
}

extension Problem {
    static let tooManyAnswers = retryLater(
        "too-many-answers",
        "memory limit for responses reached; try again in a moment, or request less data"
    )
}
