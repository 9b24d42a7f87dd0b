// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Configuration
import Foundation
import Observing
import TestSupport
import Testing

@testable import RemoteConfig

/// A running service, its state, and all that it has announced.
struct RunningService: Sendable {
    let service: RemoteConfigService
    let updates = Log<ConfigDidUpdate>()
    let statuses = Log<SourceStatus>()

    var current: ConfigState.Snapshot { service.state.current }
    var problem: ConfigModel.ConfigError? { current.status.problem }
    func value(_ key: String) -> EntryValue? { current.snapshot.entries[key]?.value }

    /// Waits until a key has a value.
    func shows(_ value: EntryValue?, for key: String = "k") async throws {
        try await until("\(key) is \(value.debugDescription) instead of \(current)") { self.value(key) == value }
    }
}

/// Runs a service with a separate notification centre while the body runs.
func following<Outcome>(
    _ source: some ConfigSource,
    _ body: (RunningService) async throws -> Outcome
) async throws -> Outcome {
    try await running {
        RemoteConfigService(source: source, notificationCenter: $0)
    } body: {
        try await body($0)
    }
}

/// Runs a service while the body runs.
///
/// - Parameter make: makes the service, which posts to a separate notification centre.
func running<Outcome>(
    _ make: (NotificationCenter) -> RemoteConfigService,
    body: (RunningService) async throws -> Outcome
) async throws -> Outcome {
    let center = NotificationCenter()
    let running = RunningService(service: make(center))
    let listener = listen(to: ConfigDidUpdate.self, of: running.service.state, on: center) {
        running.updates.append($0)
    }
    let subscription = running.service.state.observed.observe { former, next in
        if next.status != former.status { running.statuses.append(next.status) }
    }
    defer {
        listener.cancel()
        subscription.end()
    }
    return try await running.service.whileRunning { try await body(running) }
}

/// Records every message from the moment of the call.
func listen<Message: NotificationCenter.AsyncMessage>(
    to type: Message.Type,
    of subject: Message.Subject,
    on center: NotificationCenter,
    _ note: @escaping @Sendable (Message) -> Void
) -> Task<Void, Never> where Message.Subject: AnyObject {
    // The sequence listens from the moment its iterator is made.
    var messages = center.messages(of: subject, for: type, bufferSize: 10_000).makeAsyncIterator()
    return Task {
        while let message = await messages.next(isolation: #isolation) { note(message) }
    }
}

extension RemoteConfigService {
    /// Runs the service during a closure, which begins at once.
    func whileRunning<Outcome>(_ body: () async throws -> Outcome) async rethrows -> Outcome {
        let run = Task { await self.run() }
        defer { run.cancel() }
        let outcome = try await body()
        run.cancel()
        await run.value
        return outcome
    }

    /// The error with which a wait ends; `nil` if the source has answered.
    func failureOfWait(_ timeout: Duration) async -> (any Error)? {
        do { try await waitUntilReady(timeout: timeout) } catch { return error }
        return nil
    }
}

extension ConfigState {
    /// Applies a document as a service would.
    func take(_ json: String) throws {
        let document = try ConfigDocument(json: Array(json.utf8), source: "config.json")
        var next = current
        next.snapshot =
            next.snapshot.updated(with: document, from: "config.json", at: Timestamp(milliseconds: 0)).snapshot
        replace(with: next)
    }

    /// A state with a document.
    static func holding(_ json: String) throws -> ConfigState {
        let state = ConfigState(source: "config.json")
        try state.take(json)
        return state
    }
}

extension RemoteConfigProvider {
    /// The content of a key.
    func content(_ key: String, _ type: ConfigType) throws -> ConfigContent? {
        try value(forKey: AbsoluteConfigKey(ConfigKey(key)), type: type).value?.content
    }
}
