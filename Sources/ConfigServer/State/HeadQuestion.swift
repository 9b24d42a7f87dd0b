internal import ConfigModel
internal import ConfigStore
internal import Synchronization

/// Asks the store where it is, once for all who want to know at the same time.
///
/// Whoever asks while a question is under way gets the answer to the next one: an answer is never older than who asked.
final class HeadQuestion: Sendable {
    /// What the store says.
    enum Answer: Hashable, Sendable {
        /// Nobody else commits to it.
        case alone
        /// It is here.
        case at(Cursor)
        /// It cannot say at present.
        case unknown
    }

    private struct State {
        /// How many questions have been begun.
        var begun = 0
        /// The last question that someone waits for.
        var wanted = 0
        var isAsking = false
        var last: (number: Int, answer: Answer)?
    }

    private let state = Mutex(State())
    private let store: any ConfigStore

    init(of store: any ConfigStore) {
        self.store = store
    }

    /// Has the store asked.
    ///
    /// - Parameter onAnswer: is called when there is an answer to some question.
    /// - Returns: the number of the question.
    func ask(onAnswer: @escaping @Sendable () -> Void) -> Int {
        let (number, isFirst) = state.withLock { state in
            state.wanted = state.begun + 1
            defer { state.isAsking = true }
            return (state.wanted, !state.isAsking)
        }
        if isFirst { Task { await answerAll(onAnswer) } }
        return number
    }

    /// The answer to a question; `nil` while there is none.
    func answer(to number: Int) -> Answer? {
        state.withLock { state in state.last.flatMap { $0.number >= number ? $0.answer : nil } }
    }

    private func answerAll(_ onAnswer: @Sendable () -> Void) async {
        while let number = begin() {
            let answer = await askOnce()
            state.withLock { $0.last = (number, answer) }
            onAnswer()
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

    private func askOnce() async -> Answer {
        do throws(StoreError) {
            return try await store.head().map(Answer.at) ?? .alone
        } catch {
            return .unknown
        }
    }
}
