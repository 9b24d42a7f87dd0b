// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import Synchronization

/// Reads the head of the store, once for all concurrent callers.
///
/// A caller during a read gets the result of the next one: a result is never older than its request.
final class HeadQuestion: Sendable {
    private struct State {
        /// The numbers of the last question that was begun, and of the last that a task waits for.
        var (begun, wanted) = (0, 0)
        var isAsking = false
        var last: (number: Int, head: RevisionCursor?)?
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
    func ask() -> Int {
        let (number, isFirst) = state.withLock { state in
            state.wanted = state.begun + 1
            defer { state.isAsking = true }
            return (state.wanted, !state.isAsking)
        }
        if isFirst { Task { await answerAll() } }
        return number
    }

    /// The store's head in answer to a question, `nil` if no other server commits to it; no head while there is no answer.
    func answer(to number: Int) -> RevisionCursor?? {
        state.withLock { state in state.last.flatMap { $0.number >= number ? .some($0.head) : .none } }
    }

    private func answerAll() async {
        while let number = begin() {
            do throws(StoreError) {
                let head = try await store.head()
                state.withLock { $0.last = (number, head) }
            } catch {
                // A store that cannot be read is reported by its monitor; the question stays unanswered.
            }
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
