// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import Synchronization

/// Reads the head of the store, once for all concurrent callers.
///
/// A caller during a read gets the result of the next one: a result is never older than its request.
final class HeadQuestion: Sendable {
    /// The store's head; `nil` if no other server commits to it.
    typealias Answer = Result<RevisionCursor?, StoreError>

    private struct State {
        /// The numbers of the last question that was begun, and of the last that a task waits for.
        var (begun, wanted) = (0, 0)
        var isAsking = false
        var last: (number: Int, answer: Answer)?
    }

    private let state = Mutex(State())
    private let store: any EntryStore
    private let waiters: Waiters

    /// - Parameter waiters: notified of each answer.
    init(of store: any EntryStore, notifying waiters: Waiters) {
        (self.store, self.waiters) = (store, waiters)
    }

    /// Begins a question, or joins the next one.
    ///
    /// - Returns: the number of the question.
    @discardableResult
    func ask() -> Int {
        let (number, isFirst) = state.withLock { state in
            state.wanted = state.begun + 1
            defer { state.isAsking = true }
            return (state.wanted, !state.isAsking)
        }
        if isFirst { Task { await answerAll() } }
        return number
    }

    /// The answer to a question; `nil` while there is none.
    func answer(to number: Int) -> Answer? {
        state.withLock { state in state.last.flatMap { $0.number >= number ? $0.answer : nil } }
    }

    private func answerAll() async {
        while let number = begin() {
            let answer: Answer
            do throws(StoreError) {
                answer = .success(try await store.head())
            } catch {
                answer = .failure(error)
            }
            state.withLock { $0.last = (number, answer) }
            waiters.signal()
        }
    }

    private func begin() -> Int? {
        state.withLock { state in
            guard state.wanted > state.begun else {
                state.isAsking = false
                return nil
            }
            state.begun += 1
            return state.begun
        }
    }
}
