// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Foundation
import Observing
import Synchronization
import TestSupport
import Testing

@testable import RemoteConfig

/// A program that follows a server with the client library; every state that it shows is noted, and every
/// announcement.
///
/// It may be started again, with the cache that it left behind.
final class ObservedClient: Sendable {
    private let makeService: @Sendable (NotificationCenter) throws -> RemoteConfigService
    private let lives = Mutex<[Life]>([])

    /// - Parameters:
    ///   - address: the server's address.
    ///   - namespace: whose values.
    ///   - cache: the cache that outlives the program, if there is one.
    ///   - clock: its clock.
    init(
        of address: String,
        namespace: String = "default",
        cache: ConfigCache? = nil,
        context: EvaluationContext? = nil,
        clock: any SyncClock = SystemSyncClock()
    ) {
        makeService = { center in
            var settings = ServiceSettings()
            (settings.cache, settings.context) = (cache, context)
            (settings.notificationCenter, settings.clock) = (center, clock)
            // Pauses of milliseconds: the tests are about the time after them.
            settings.jitter = { .random(in: 0..<0.02) }
            let source = try ServerSource(
                url: try requireURL(address),
                namespace: namespace,
                pollingInterval: .seconds(1)
            )
            return RemoteConfigService(source: HurriedSource(base: source), settings)
        }
    }

    /// Starts the program.
    func start() throws {
        let center = NotificationCenter()
        let life = Life(try makeService(center), announcingOn: center)
        lives.withLock { $0.append(life) }
    }

    /// Ends the program.
    func stop() async throws {
        guard let life = lives.withLock(\.last) else { return }
        try await life.end()
    }

    /// Ends the program once it shows the last of the revisions.
    func stop(at history: PublishedHistory) async throws {
        let last = history.revisions.last ?? 0
        try await until(
            "revision \(last) is shown",
            lastState: current.map { "\($0.snapshot.cursor?.revision ?? 0), \($0.status)" }
        ) { shows(last) }
        try await stop()
    }

    /// Whether the program shows a revision, or a later one.
    func shows(_ revision: UInt64) -> Bool { current?.snapshot.cursor?.revision ?? 0 >= revision }

    /// The current state of the program.
    var current: ConfigState.Snapshot? { lives.withLock(\.last)?.state.current }

    /// The observations, in order.
    var observations: [Observation] {
        let lives = lives.withLock(\.self)
        return zip(1..., lives).flatMap { number, life in life.observations(session: number) }
    }
}

extension [ObservedClient] {
    /// Waits until each of the programs shows what has been acknowledged so far.
    func follow(_ load: WriteLoad) async throws {
        let last = load.history.revisions.last ?? 0
        for client in self { try await until("revision \(last) is shown") { client.shows(last) } }
    }

    /// Ends the programs once they show the end of a history, and checks their observations.
    func check(_ history: PublishedHistory) async throws {
        let oracle = LosslessOracle(history)
        for client in self {
            try await client.stop(at: history)
            #expect(oracle.violations(in: client.observations) == [])
        }
    }
}

/// A server whose requested pause before a new stream is ignored: thousands of streams are lost here.
private struct HurriedSource: ConfigSource {
    let base: ServerSource

    var name: String { base.name }
    var delivery: SourceDelivery { base.delivery }

    func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        try await base.read(after: known)
    }

    func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError) {
        try await base.follow(after: known) { event in
            if case .retry = event.kind { return }
            await receive(event)
        }
    }
}

/// A state as it was shown.
private struct Shown {
    /// Counts the states with different values in a life.
    let number: UInt64
    let cursor: RevisionCursor
    let entries: ConfigEntries
}

extension Log<Shown> {
    fileprivate func append(_ snapshot: EntrySnapshot) {
        guard let cursor = snapshot.cursor else { return }
        append(Shown(number: snapshot.revision, cursor: cursor, entries: snapshot.entries))
    }
}

/// A life of the program.
private final class Life: Sendable {
    let state: ConfigState
    private let run: Task<Void, Never>
    private let listening: Task<Void, Never>
    private let observation: ObservationToken
    private let shown = Log<Shown>()
    private let announced = Log<ConfigDidUpdate>()

    init(_ service: RemoteConfigService, announcingOn center: NotificationCenter) {
        state = service.state
        // The initial state of the program, which is not announced.
        shown.append(service.state.current.snapshot)
        observation = service.state.observed.observe { [shown] previous, next in
            let (old, new) = (previous.snapshot, next.snapshot)
            if old.cursor != new.cursor || old.revision != new.revision { shown.append(new) }
        }
        var messages = center.messages(of: state, for: ConfigDidUpdate.self, bufferSize: 1_000_000)
            .makeAsyncIterator()
        listening = Task { [announced] in
            while let message = await messages.next(isolation: #isolation) { announced.append(message) }
        }
        run = Task { await service.run() }
    }

    /// Ends it, after all announcements have come.
    func end() async throws {
        run.cancel()
        await run.value
        // A rule with an unchanged result is not announced.
        let shown = shown.entries
        let last = Array(zip(shown, shown.dropFirst())).last { $0.entries != $1.entries }?.1.number
        if let last {
            try await until("the last announcement has come") { announced.entries.last?.revision == last }
        }
        listening.cancel()
        await listening.value
    }

    func observations(session: Int) -> [Observation] {
        let announced = Dictionary(grouping: announced.entries, by: \.revision)
            .mapValues { $0.map { Set($0.changedKeys) } }
        var previous: UInt64?
        return shown.entries.map { shown in
            var changedKeys: Set<String>?
            if let previous {
                let messages = previous == shown.number ? [] : announced[shown.number] ?? []
                // One for each different state; none, or more than one, is as wrong as one that names other keys.
                changedKeys = messages.count > 1 ? ["announced \(messages.count) times"] : messages.first ?? []
            }
            previous = shown.number
            let entries = shown.entries.lazy.map { (key: $0.key, value: $0.value.value) }
            return Observation(session: session, cursor: shown.cursor, entries: entries, changedKeys: changedKeys)
        }
    }
}

func requireURL(_ text: String) throws -> URL {
    guard let url = URL(string: text) else { throw FixtureError("no address: \(text)") }
    return url
}
