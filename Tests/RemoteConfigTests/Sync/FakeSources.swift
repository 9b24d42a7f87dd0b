// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig
import Synchronization
import TestSupport

/// A source whose hints and readings the test gives.
final class FakeSource: ConfigSource {
    let name = "fake"
    private let hintStream = AsyncStream.makeStream(of: SourceHint.self)
    private let state = Mutex(State())

    private struct State {
        var waiting: [CheckedContinuation<Result<SourceReading, ConfigError>, Never>] = []
        var readCount = 0
        var mostAtOnce = 0
        var isAtRest = true
        var restQuestions = 0
        var refreshCount = 0
    }

    let delivery: SourceDelivery

    init(delivery: SourceDelivery = .watched) { self.delivery = delivery }

    func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError) {
        for await hint in hintStream.stream { await receive(.hint(hint)) }
    }

    func refresh() async -> Bool {
        state.withLock { $0.refreshCount += 1 }
        return false
    }

    var refreshCount: Int { state.withLock(\.refreshCount) }

    func hint(_ hint: SourceHint) { hintStream.continuation.yield(hint) }

    /// Ends when the test answers, or when the task is cancelled.
    func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { state in
                    state.waiting.append(continuation)
                    state.readCount += 1
                    state.mostAtOnce = max(state.mostAtOnce, state.waiting.count)
                }
                if Task.isCancelled { answer(.failure(ConfigError(.unreadable, "cancelled"))) }
            }
        } onCancel: {
            answer(.failure(ConfigError(.unreadable, "cancelled")))
        }
        return try result.get()
    }

    var readCount: Int { state.withLock(\.readCount) }
    var mostAtOnce: Int { state.withLock(\.mostAtOnce) }
    func isAtRest() -> Bool {
        state.withLock { state in
            state.restQuestions += 1
            return state.isAtRest
        }
    }

    var restQuestions: Int { state.withLock(\.restQuestions) }
    func move(isAtRest: Bool) { state.withLock { $0.isAtRest = isAtRest } }

    var isRead: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Answers the read that has waited longest, if one waits.
    func answer(_ result: Result<SourceReading, ConfigError>) {
        state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }?.resume(returning: result)
    }

    /// Answers with a document that has this value of the key `k`.
    func answer(_ value: Int) throws(ConfigError) {
        let document = try ConfigDocument(json: Array(#"{"k":\#(value)}"#.utf8), source: name)
        answer(.success(SourceReading(.document(document))))
    }
}

/// A source that notes what another one says.
struct WitnessedSource<Base: ConfigSource>: ConfigSource {
    let base: Base
    let faults = Log<ConfigError>()
    let hinted = Log<SourceHint>()
    /// Events of a server's stream.
    let told = Log<StreamEvent>()

    init(_ base: Base) { self.base = base }

    var name: String { base.name }
    var delivery: SourceDelivery { base.delivery }

    func isAtRest() -> Bool { base.isAtRest() }

    func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        do throws(ConfigError) {
            return try await base.read(after: known)
        } catch {
            faults.append(error)
            throw error
        }
    }

    func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError) {
        try await base.follow(after: known) { event in
            if case .hint(let hint) = event { hinted.append(hint) }
            if case .server(let event) = event { told.append(event) }
            await receive(event)
        }
    }
}
