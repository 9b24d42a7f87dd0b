// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Foundation
import Observing
import RemoteConfigTesting
import Synchronization
import TestSupport

@testable import RemoteConfig

/// One launch of a program: its service, and checks of every state that it shows.
final class WatchedClient {
    /// The options of a launch.
    struct Options {
        var user: String
        var activation = ActivationPolicy.immediate
        var hasCache = true
        var hasBundledDefault = false
        var isOffline = false
    }

    let program: SimulatedProgram
    let options: Options
    let service: RemoteConfigService
    private let check: StateCheck
    private let clock: TestClock
    private let subscription: ObservationToken
    private let initial: ConfigState.Snapshot
    private let updates = Log<ConfigDidUpdate>()
    private let states = Log<ConfigState.Snapshot>()
    private let sharedTexts = Log<String?>()
    /// The texts for the user of a task, for any user of the program.
    private let guestTexts = Log<[String]>()
    private static let guest = EvaluationContext(targetingKey: PublishedViews.users[2])
    private var listeners: [Task<Void, Never>] = []
    private var runs: [Call] = []
    private var calls: [Call] = []

    init(of program: SimulatedProgram, _ options: Options, clock: TestClock, faults: Log<String>) throws {
        (self.program, self.options, self.clock) = (program, options, clock)
        let center = NotificationCenter()
        service = try RemoteConfigService(
            source: program.makeSource(),
            cache: options.hasCache ? program.cache : nil,
            bundledDefault: options.hasBundledDefault ? program.bundled() : nil,
            context: EvaluationContext(user: options.user),
            activation: options.activation,
            isOffline: options.isOffline,
            notificationCenter: center,
            clock: clock
        )
        let model = ClientModel(
            program.views,
            program.sources,
            evaluated: ["flags"],
            bundled: options.hasBundledDefault ? program.bundledTexts : [:],
            isStaged: options.activation != .immediate,
            sharesCache: program.hasTwoProcesses
        )
        check = StateCheck(model, faults) { [sources = program.sources] in
            $0.values(for: Self.guest).texts(of: sources)
        }
        initial = service.state.current
        check.see(initial)
        check.model.withLock { $0.isOpen = false }
        subscription = service.state.observed.observe { [check] _, next in check.see(next) }
        let state = service.state
        let textsOfGuest = EvaluationContext.$current.withValue(Self.guest) {
            state.observe { [sources = program.sources] in $0.texts(of: sources) }
        }
        listeners = [
            listen(to: ConfigDidUpdate.self, of: state, on: center) { [updates] in updates.append($0) },
            Task { [states] in for await current in state.observe() { states.append(current) } },
            Task { [sharedTexts] in
                for await text in state.observe(PublishedViews.shared, as: String.self) {
                    sharedTexts.append(text)
                }
            },
            Task { [guestTexts] in for await texts in textsOfGuest { guestTexts.append(texts) } },
            Task { [exposures = state.exposures()] in
                // Variants are named after their users.
                for await exposure in exposures where exposure.variant != exposure.targetingKey {
                    faults.append("exposed: \(exposure)")
                }
            },
        ]
    }

    var current: ConfigState.Snapshot { service.state.current }
    var isRunning: Bool { !runs.isEmpty }
    /// The newest values of the sources for the current user.
    var newest: [String: String] { check.model.withLock { $0.newest(for: current.user) } }

    /// Whether a launch shows what was cached last.
    var startsWell: Bool { check.model.withLock { $0.mayStart(current.texts, for: current.user) } }

    /// Whether the newest values are shown, and the status reports that.
    var hasArrived: Bool {
        let status = current.status
        let problems = [status.problem, status.cacheProblem].compactMap(\.self)
        guard current.texts == newest, problems.isEmpty, !status.hasStagedChanges else { return false }
        // The values of rules for other users have arrived as well.
        let snapshot = current.snapshot
        guard program.newestEntries.allSatisfy({ snapshot.held($0.key)?.value == $0.value }) else { return false }
        return !isRunning || status.phase == (program.isLive ? .streaming : .polling)
    }
}

/// Checks each state when it is shown.
private final class StateCheck: Sendable {
    let model: Mutex<ClientModel>
    let faults: Log<String>
    private let textsOfGuest: @Sendable (ConfigState.Snapshot) -> [String]

    init(
        _ model: ClientModel,
        _ faults: Log<String>,
        textsOfGuest: @escaping @Sendable (ConfigState.Snapshot) -> [String]
    ) {
        self.model = Mutex(model)
        (self.faults, self.textsOfGuest) = (faults, textsOfGuest)
    }

    func see(_ state: ConfigState.Snapshot) {
        if let fault = model.withLock({ $0.see(state.texts, by: state.user) }) {
            faults.append("\(fault)\nshown to '\(state.user)': \(state.texts)\n\(state.status.summary)")
        }
        // A text names its user.
        let names = ["everybody", PublishedViews.users[2]]
        let others = textsOfGuest(state).filter { text in !text.isEmpty && !names.contains { text.contains("/\($0)/") }
        }
        if !others.isEmpty { faults.append("the guest sees \(others) while the user is '\(state.user)'") }
    }
}

/// A call in a task.
private final class Call: Sendable {
    let hasEnded = Atomic(false)
    private let task = Mutex<Task<Void, Never>?>(nil)

    func begin(_ body: @escaping @Sendable () async -> Void) {
        let task = Task {
            await body()
            hasEnded.store(true, ordering: .releasing)
        }
        self.task.withLock { $0 = task }
    }

    func cancel() { task.withLock(\.self)?.cancel() }
}

// Calls.
extension WatchedClient {
    func start() {
        let run = Call()
        run.begin { [service, check] in
            await service.run {
                let current = service.state.current
                if current.status.phase == .starting { check.faults.append("a run begins: \(current.status.summary)") }
            }
        }
        runs.append(run)
        calls.append(run)
    }

    /// Cancels the oldest run.
    func stop(waiting isWaiting: Bool) async throws {
        if runs.isEmpty { return }
        let run = runs.removeFirst()
        run.cancel()
        if isWaiting { try await end(of: [run]) }
    }

    func pause() async throws {
        let pause = Call()
        pause.begin { [service] in await service.pause() }
        try await end(of: [pause])
    }

    private func end(of calls: [Call]) async throws {
        try await until("\(calls.count) calls end") {
            let isOver = calls.allSatisfy { $0.hasEnded.load(ordering: .acquiring) }
            if !isOver { clock.advance(by: .milliseconds(500)) }
            return isOver
        }
    }

    func setContext(_ user: String) async {
        await service.setContext(EvaluationContext(user: user))
        if current.user != user { check.faults.append("'\(user)' was set, and the state is one of '\(current.user)'") }
    }

    /// Begins a refresh, without waiting for its end.
    func refresh() {
        let call = Call()
        call.begin { [service] in _ = await service.refreshOutcome() }
        calls.append(call)
    }

    func activate() async {
        check.model.withLock { $0.isOpen = true }
        await service.activate()
        check.model.withLock { $0.isOpen = false }
    }

    /// Waits for the end of all calls, then checks that the announced changes lead to the state.
    func end() async throws {
        while isRunning { try await stop(waiting: false) }
        try await end(of: calls)
        let (last, initial, sources) = (current, initial, program.sources)
        let (updates, states, sharedTexts, guestTexts) = (updates, states, sharedTexts, guestTexts)
        try await until("all changes are announced") {
            updates.entries.reduce(into: initial.texts) { $0.follow($1) } == last.texts
        }
        try await until("the last state is observed") {
            states.entries.last.map { ($0.texts, $0.status, $0.user) == (last.texts, last.status, last.user) } ?? false
        }
        try await until("the last value is observed") {
            sharedTexts.entries.last == last.texts[PublishedViews.shared]
        }
        try await until("the last values of another user are observed") {
            guestTexts.entries.last == last.values(for: Self.guest).texts(of: sources)
        }
        for listener in listeners { listener.cancel() }
        var texts = initial.texts
        for update in updates.entries {
            for key in update.changedKeys {
                let (old, new) = update.values(forKey: key)
                if old?.text != texts[key] || old == new {
                    check.faults.append("\(key) was \(texts[key] ?? ""); announced: \((old, new))")
                }
            }
            texts.follow(update)
        }
    }
}

extension ValueReading {
    fileprivate func texts(of keys: [String]) -> [String] {
        keys.map { value(forKey: $0, as: String.self, default: "") }
    }
}

extension [String: String] {
    /// Applies an announced change.
    fileprivate mutating func follow(_ update: ConfigDidUpdate) {
        for key in update.changedKeys { self[key] = update.values(forKey: key).new?.text }
    }
}

extension SourceStatus {
    var summary: String {
        let words = [
            problem.map { "problem: \($0)" }, cacheProblem.map { "cache: \($0)" }, hasStagedChanges ? "staged" : nil,
        ]
        return (["\(phase) from \(origin)"] + words.compactMap(\.self)).joined(separator: ", ")
    }
}

extension EvaluationContext {
    fileprivate init?(user: String) {
        if user.isEmpty { return nil }
        self.init(targetingKey: user)
    }
}

extension EntryValue {
    fileprivate var text: String { if case .string(let text) = self { text } else { "\(self)" } }
}

extension ConfigState.Snapshot {
    /// The values by their keys.
    var texts: [String: String] { Dictionary(snapshot.entries.map { ($0.key, $0.value.value.text) }) { $1 } }
    /// The user that they are shown to.
    var user: String { context?.targetingKey ?? "" }
}
