public import ConfigModel
internal import ConfigStore
internal import Synchronization

/// The outcome of waiting for a revision that a client has seen on another server.
enum CatchUp: Sendable {
    /// Memory has the revision now.
    case done
    /// The store itself has no such revision: the client has seen another history.
    case otherHistory
    /// Neither is known within the time that a client waits.
    case stillBehind
}

extension ConfigHub {
    /// Whether a client has seen a newer revision, from another server on the store, than memory has.
    public func isBehind(_ seen: Cursor) -> Bool {
        head?.isBehind(seen) ?? false
    }

    /// Waits until memory has the revision that a client has seen, or until the store says that it has no such revision.
    func catchUp(with seen: Cursor) async -> CatchUp {
        guard isBehind(seen) else { return .done }
        let question = headQuestion.ask { [weak self] in self?.signal() }
        let outcome = await wait(atMost: patience) { hub -> CatchUp? in
            if !hub.isBehind(seen) { return .done }
            return hub.headQuestion.answer(to: question).flatMap { $0.refutes(seen) ? .otherHistory : nil }
        }
        return outcome ?? .stillBehind
    }

    /// Asks the store for its head, if a hint announces a newer revision.
    func check(hint: Cursor) {
        guard isBehind(hint) else { return }
        _ = headQuestion.ask { [weak self] in self?.signal() }
    }

    /// Waits until memory has the store's present head: for answers that made no commit.
    func catchUpWithStore() async {
        guard let head = try? await store.head() else { return }
        _ = await wait(atMost: .seconds(5)) { $0.isBehind(head) ? nil : true }
    }
}

extension Cursor {
    /// Whether a client has seen a newer revision of the same history.
    func isBehind(_ seen: Cursor) -> Bool { epoch == seen.epoch && revision < seen.revision }
}

extension HeadQuestion.Answer {
    /// Whether the store has never had the revision that a client claims to have seen.
    fileprivate func refutes(_ seen: Cursor) -> Bool {
        switch self {
        case .alone: true
        case .at(let head): head.epoch != seen.epoch || head.revision < seen.revision
        case .unknown: false
        }
    }
}

/// Asks the store for its head, once for all tasks that ask at the same time.
///
/// A task that asks while a question is in progress gets the answer to the next one: an answer is never older than the
/// request for it.
final class HeadQuestion: Sendable {
    /// The store's answer.
    enum Answer: Hashable, Sendable {
        /// No other server commits to it.
        case alone
        /// The store's head.
        case at(Cursor)
        /// The store cannot say at present.
        case unknown
    }

    private struct State {
        /// The number of the last question that was begun.
        var begun = 0
        /// The number of the last question that a task waits for.
        var wanted = 0
        var isAsking = false
        var last: (number: Int, answer: Answer)?
    }

    private let state = Mutex(State())
    private let store: any ConfigStore

    init(of store: any ConfigStore) {
        self.store = store
    }

    /// Begins a question, or joins the next one.
    ///
    /// - Parameter onAnswer: called after each answer.
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
