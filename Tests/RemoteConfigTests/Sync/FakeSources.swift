// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import RemoteConfig
import Synchronization
import TestSupport

/// A source whose hints and readings the test gives.
final class FakeSource: ActiveSource {
    let name = "fake"
    private let hintStream = AsyncStream.makeStream(of: SourceHint.self)
    private let state = Mutex(State())

    private struct State {
        var waiting: [CheckedContinuation<Result<SourceReading, ConfigError>, Never>] = []
        var readCount = 0
        var maximumConcurrency = 0
        var isSettled = true
        var restQuestions = 0
    }

    let delivery: SourceDelivery
    /// Whether a read ends when its task is cancelled.
    private let isCancellable: Bool

    init(delivery: SourceDelivery = .watched, isCancellable: Bool = true) {
        (self.delivery, self.isCancellable) = (delivery, isCancellable)
    }

    func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError) {
        for await hint in hintStream.stream { await receive(.hint(hint)) }
    }

    func hint(_ hint: SourceHint) { hintStream.continuation.yield(hint) }

    private func cancel() {
        if isCancellable { answer(.failure(ConfigError(.unreadable, "cancelled"))) }
    }

    /// Ends when the test answers, or when the task is cancelled.
    func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { state in
                    state.waiting.append(continuation)
                    state.readCount += 1
                    state.maximumConcurrency = max(state.maximumConcurrency, state.waiting.count)
                }
                if Task.isCancelled { cancel() }
            }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    var readCount: Int { state.withLock(\.readCount) }
    var maximumConcurrency: Int { state.withLock(\.maximumConcurrency) }
    func isSettled() -> Bool {
        state.withLock { state in
            state.restQuestions += 1
            return state.isSettled
        }
    }

    func reportsEveryChange() -> Bool { true }

    var restQuestions: Int { state.withLock(\.restQuestions) }
    func move(isSettled: Bool) { state.withLock { $0.isSettled = isSettled } }

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

/// A source that records the calls and events of another one.
struct WitnessedSource<Base: ConfigSource>: ActiveSource {
    let base: Base
    let faults = Log<ConfigError>()
    let hinted = Log<SourceHint>()
    /// Events of a server's stream.
    let told = Log<StreamEvent>()

    init(_ base: Base) { self.base = base }

    var name: String { base.name }
    var delivery: SourceDelivery { base.delivery }

    func isSettled() -> Bool { base.active?.isSettled() != false }
    func reportsEveryChange() -> Bool { base.active?.reportsEveryChange() != false }

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
            if case .hint(let hint) = event.kind { hinted.append(hint) }
            if case .server(let event) = event.kind { told.append(event) }
            await receive(event)
        }
    }
}

/// A source whose parts are closures of the test. Unless it gives others, nothing changes and nothing is reported.
struct ScriptedSource: ConfigSource {
    var name = "scripted"
    var delivery = SourceDelivery.watched
    var dependsOnContext = false
    var reading: @Sendable (SourcePosition) async throws(ConfigError) -> SourceReading
    var following: @Sendable (SourcePosition, SourceReceiver) async throws(ConfigError) -> Void

    init() {
        reading = { _ throws(ConfigError) in SourceReading(.unchanged) }
        following = { _, _ throws(ConfigError) in }
    }

    /// Passes reads and listeners on to another source.
    init(_ base: some ConfigSource) {
        (name, delivery) = (base.name, base.delivery)
        reading = { known throws(ConfigError) in try await base.read(after: known) }
        following = { known, receive throws(ConfigError) in try await base.follow(after: known, receive) }
    }

    /// A polled source whose reads, which are noted, wait at a gate, and then have these values.
    init(_ values: KeyValuePairs<String, EntryValue>, behind gate: Gate, _ reads: Log<Int>) {
        self.init()
        delivery = .polled(every: .seconds(30))
        reading = { _ throws(ConfigError) in
            reads.append(0)
            await gate.pass()
            return SourceReading(.document(try ConfigDocument(values: values)))
        }
    }

    func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading { try await reading(known) }

    func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError) {
        try await following(known, receive)
    }
}

/// The values that a program itself carries, as a layer: they are available at once and never change.
struct BundledSource: ConfigSource {
    /// The source named in the entries.
    let name: String
    /// There is nothing to wait for.
    let delivery = SourceDelivery.watched
    private let document: ConfigDocument

    /// Creates a source of a document.
    init(_ document: ConfigDocument, name: String = "bundled default") {
        (self.document, self.name) = (document, name)
    }

    /// The document.
    var bundled: ConfigDocument? { document }

    /// The document.
    func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        SourceReading(.document(document))
    }

    /// Requests a single read of the document.
    func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError) {
        await receive(.hint(.settled))
    }
}
