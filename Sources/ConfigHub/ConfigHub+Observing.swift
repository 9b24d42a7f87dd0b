// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import ConfigStore
public import Observing
internal import Synchronization

extension ConfigHub {
    /// Calls a function with the new state of a namespace whenever it has changed, in order.
    ///
    /// One call may stand for several commits: ``NamespaceState/changes(after:)`` has all of them. The function
    /// must be short, must not block, and must not wait for a publish: the next commit waits for it.
    ///
    /// - Returns: what ends the observation, also when it is released.
    public func observe(_ body: @escaping @Sendable (NamespaceState) -> Void) -> Subscription {
        observers.add(body)
    }

    /// Has all waiting tasks check their conditions again.
    func signal() { waiters.send(()) }

    /// Waits for a value that a commit or the loading of the store brings.
    ///
    /// - Parameters:
    ///   - limit: the longest time to wait.
    ///   - find: looks for the value in what the hub has in memory.
    /// - Returns: the value, or `nil` if it has not come by then.
    public func wait<Found: Sendable>(
        atMost limit: Duration,
        for find: @escaping @Sendable (ConfigHub) -> Found?
    ) async -> Found? {
        if let found = find(self) { return found }
        let (hints, hint) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let subscription = waiters.add { hint.yield() }
        defer { subscription.end() }
        // The value may have come before the subscription.
        hint.yield()
        return await withTaskGroup(of: Found?.self) { group in
            group.addTask {
                for await _ in hints {
                    if let found = find(self) { return found }
                }
                return nil
            }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            // A value that came when the time was over is there all the same.
            return await group.next().flatMap(\.self) ?? find(self)
        }
    }

    /// Begins work and waits for its result a while; the work goes on all the same.
    func begin<Value: Sendable>(
        waiting limit: Duration,
        _ work: @escaping @Sendable () async -> Value
    ) async -> (work: Task<Void, Never>, result: Value?) {
        let result = Mutex<Value?>(nil)
        let task = Task {
            let value = await work()
            result.withLock { $0 = value }
            signal()
        }
        return (task, await wait(atMost: limit) { _ in result.withLock { $0 } })
    }
}

/// The outcome of waiting for a revision that a client has seen on another server.
package enum CatchUp: Sendable {
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
    package func catchUp(with seen: Cursor) async -> CatchUp {
        guard isBehind(seen) else { return .done }
        let question = headQuestion.ask()
        let outcome = await wait(atMost: limits.patience) { hub -> CatchUp? in
            if !hub.isBehind(seen) { return .done }
            guard case .success(let head)? = hub.headQuestion.answer(to: question) else { return nil }
            // Without other servers on the store, nobody can have seen more than memory has.
            guard let head, head.epoch == seen.epoch, head.revision >= seen.revision else { return .otherHistory }
            return nil
        }
        return outcome ?? .stillBehind
    }

    /// Waits until memory has the store's present head: for answers that made no commit.
    func catchUpWithStore() async {
        guard let head = try? await store.head() else { return }
        _ = await wait(atMost: .seconds(5)) { $0.isBehind(head) ? nil : true }
    }
}

extension Cursor {
    /// Whether a client has seen a newer revision of the same history.
    package func isBehind(_ seen: Cursor) -> Bool { epoch == seen.epoch && revision < seen.revision }
}

/// Asks the store for its head, once for all tasks that ask at the same time.
///
/// A task that asks while a question is in progress gets the answer to the next one: an answer is never older than the
/// request for it.
final class HeadQuestion: Sendable {
    /// The store's head; `nil` if no other server commits to it.
    typealias Answer = Result<Cursor?, StoreError>

    private struct State {
        /// The numbers of the last question that was begun, and of the last that a task waits for.
        var (begun, wanted) = (0, 0)
        var isAsking = false
        var last: (number: Int, answer: Answer)?
    }

    private let state = Mutex(State())
    private let store: any ConfigStore
    private let waiters: ObserverList<Void>

    /// - Parameter waiters: notified of each answer.
    init(of store: any ConfigStore, notifying waiters: ObserverList<Void>) {
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
            waiters.send(())
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
