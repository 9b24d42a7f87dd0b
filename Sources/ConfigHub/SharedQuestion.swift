// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A question to the store, asked once for all concurrent callers.
final class SharedQuestion<Answer: Sendable>: Sendable {
    /// An answer, and the times at which its question was asked and answered.
    typealias Answered = (answer: Answer, asked: ContinuousClock.Instant, end: ContinuousClock.Instant)

    private struct State {
        var last: Answered?
        var isAsking = false
        /// Whether the question has to be asked once more.
        var isWanted = false
    }

    private let state = Mutex(State())
    private let waiters: HubWaiters
    private let question: @Sendable () async -> Answer?

    /// - Parameters:
    ///   - waiters: notified of each answer.
    ///   - question: asks the store; `nil` for no answer.
    init(notifying waiters: HubWaiters, _ question: @escaping @Sendable () async -> Answer?) {
        (self.waiters, self.question) = (waiters, question)
    }

    /// The last answer.
    var last: Answered? { state.withLock(\.last) }

    /// Asks the question, unless the last answer suffices.
    ///
    /// - Parameter isNew: whether a question in progress is followed by another, so that the answer is not older than the call.
    /// - Returns: the last answer, if it suffices.
    @discardableResult
    func ask(again isNew: Bool, unless suffices: (Answered) -> Bool = { _ in false }) -> Answered? {
        let (last, isFirst) = state.withLock { state -> (Answered?, Bool) in
            if let last = state.last, suffices(last) { return (last, false) }
            state.isWanted = isNew || state.isWanted || !state.isAsking
            defer { state.isAsking = true }
            return (nil, !state.isAsking)
        }
        if isFirst { Task { await answerAll() } }
        return last
    }

    private func answerAll() async {
        while begin() {
            let asked = ContinuousClock.now
            if let answer = await question() { state.withLock { $0.last = (answer, asked, .now) } }
            waiters.signal()
        }
    }

    private func begin() -> Bool {
        state.withLock { state in
            (state.isAsking, state.isWanted) = (state.isWanted, false)
            return state.isAsking
        }
    }
}
