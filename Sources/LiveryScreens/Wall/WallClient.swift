// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Dispatch
import Essentials
import Observing
import RemoteConfig
import Synchronization
import TerminalUI

/// A client on the wall: a service with its own connection, and the definitions that read it.
@MainActor
final class WallClient {
    let identity: WallIdentity
    let sync: RemoteConfigService
    private let config: DemoConfig
    private let stop = AsyncStream.makeStream(of: Never.self)
    private var subscription: ObservationToken?

    /// - Parameter context: who the clients are; each has its name as targeting key, so that a rollout is seen to spread.
    init(_ identity: WallIdentity, source: some ConfigSource, context: EvaluationContext) {
        self.identity = identity
        var context = context
        context.targetingKey = context.targetingKey ?? identity.description
        // Without a cache: everything after the start was received by this client itself.
        sync = RemoteConfigService(source: source, context: context, notificationCenter: nil)
        config = DemoConfig(state: sync.state)
    }

    var screen: WallScreen { WallScreen(identity: identity, state: config.state(of: sync.state.current)) }

    /// Reports each change of the client's state, with the time at which its values changed.
    func observe(_ news: WallNews) {
        subscription = sync.state.observed.observe { [identity] previous, next in
            let moment = ContinuousClock.now
            guard next.snapshot.revision != previous.snapshot.revision else { return news.add(nil) }
            // A server identifies its values by a digest.
            let entries = next.snapshot.heldBySource.lazy.map { (key: $0.key, value: $0.value.value) }
            let content = next.snapshot.digest ?? ConfigDigest(entries)
            // The first values replace none, and a new rule may decide nothing for this client.
            let isChange = previous.snapshot.revision > 0 && next.changedKeys(since: previous.snapshot.revision) != []
            news.add(Arrival(identity: identity, content: content, moment: moment, isChange: isChange))
        }
    }

    /// Follows the source until ``end()``, or until the task is cancelled.
    nonisolated func run() async {
        await withTaskGroup { group in
            group.addTask(executorPreference: sync.executor) { await self.sync.run() }
            for await _ in stop.stream {}
            group.cancelAll()
        }
    }

    func end() { stop.continuation.finish() }
}

/// The events of the clients since it was last read; thread-safe.
final class WallNews: Sendable {
    private let events = Mutex<[Arrival?]>([])
    private let announce: @MainActor @Sendable () -> Void

    /// - Parameter announce: is called once when there is news, and again after it has been read.
    init(announce: @escaping @MainActor @Sendable () -> Void) { self.announce = announce }

    /// - Parameter arrival: `nil` for a change of the status alone.
    func add(_ arrival: Arrival?) {
        let isFirst = events.withLock { events in
            defer { events.append(arrival) }
            return events.isEmpty
        }
        if isFirst { DispatchQueue.main.async { MainActor.assumeIsolated { self.announce() } } }
    }

    func take() -> [Arrival] {
        events.withLock { events in
            defer { events = [] }
            return events.compactMap(\.self)
        }
    }
}
