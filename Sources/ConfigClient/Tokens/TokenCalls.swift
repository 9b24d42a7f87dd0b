// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import Dispatch
internal import HTTPTransport
internal import Observing
internal import Synchronization

/// The running calls of a token provider, at most one for each rejected token.
///
/// A provider is code of the app, which may wait for user input or never return. It therefore runs on a separate queue, and
/// callers can stop waiting for it.
final class TokenCalls: Sendable {
    private let provide: @Sendable (BearerToken?) async throws(ConfigError) -> BearerToken?
    private let executor = QueueExecutor(label: "livery.token")
    private let state = Mutex(State())
    private let waiters = Waiters<Answer>()

    private typealias Answer = Result<BearerToken?, ConfigError>

    /// The maximum time a request waits for a token, since the values of a live stream wait as well.
    private static let limit = DispatchTimeInterval.seconds(60)
    /// Time limits have a separate queue: a provider may block the one that it runs on.
    private static let limits = DispatchQueue(label: "livery.token-limits")

    private struct State {
        var calls: [BearerToken?: Call] = [:]
        /// The token that the provider returned last.
        var latest: BearerToken?
    }

    private struct Call {
        /// The number of the first caller.
        let number: Int
        let task: Task<Void, Never>
        var callers: Set<Int> = []
    }

    init(_ provide: @escaping @Sendable (BearerToken?) async throws(ConfigError) -> BearerToken?) {
        self.provide = provide
    }

    /// The number of waiting callers.
    var waiterCount: Int { waiters.count }

    func token(after refused: BearerToken?) async throws(ConfigError) -> BearerToken? {
        let renewed = state.withLock { state in state.latest == refused ? nil : state.latest }
        // Another request was refused a moment before, and already has a new token.
        if refused != nil, let renewed { return renewed }
        var caller: Int?
        let answer = await waiters.value(ifCancelled: .failure(.cancelled)) { number in
            caller = number
            state.withLock { state in
                var call = state.calls[refused] ?? Call(number: number, task: start(number, after: refused))
                call.callers.insert(number)
                state.calls[refused] = call
            }
        }
        if let caller { leave(caller, after: refused) }
        return try answer.get()
    }

    private func start(_ number: Int, after refused: BearerToken?) -> Task<Void, Never> {
        let task = Task(executorPreference: executor) { await self.call(number, after: refused) }
        Self.limits.asyncAfter(deadline: .now() + Self.limit) { [weak self] in
            task.cancel()
            self?.finish(number, after: refused, .failure(.noToken))
        }
        return task
    }

    private func call(_ number: Int, after refused: BearerToken?) async {
        do throws(ConfigError) {
            finish(number, after: refused, .success(try await provide(refused)))
        } catch {
            finish(number, after: refused, .failure(error))
        }
    }

    private func finish(_ number: Int, after refused: BearerToken?, _ answer: Answer) {
        let callers = state.withLock { state -> Set<Int> in
            // A call without callers may end while a later one is running.
            guard let call = state.calls[refused], call.number == number else { return [] }
            state.calls[refused] = nil
            if case .success(let token) = answer { state.latest = token }
            return call.callers
        }
        waiters.end(Array(callers), with: answer)
    }

    /// Cancels the call that the last of its callers has left.
    private func leave(_ number: Int, after refused: BearerToken?) {
        let abandoned = state.withLock { state -> Task<Void, Never>? in
            guard state.calls[refused]?.callers.remove(number) != nil, state.calls[refused]?.callers.isEmpty == true
            else { return nil }
            return state.calls.removeValue(forKey: refused)?.task
        }
        // A provider's own handler may ask this again.
        abandoned?.cancel()
    }
}

extension ConfigError {
    fileprivate static let noToken = ConfigError(.unavailable, "the token provider returned no token within 60 s")
}
