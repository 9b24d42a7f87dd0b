// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Configuration
import Foundation
import Observing
import Synchronization
import TestSupport
import Testing

/// A clock that stands still until it is set.
final class ManualClock: WallClock {
    private struct State {
        var now: Date
        var sleepers: [UUID: (until: Date, continuation: CheckedContinuation<Void, any Error>)] = [:]
    }

    private let state: Mutex<State>

    init(_ now: Date) { state = Mutex(State(now: now)) }

    var now: Date { state.withLock(\.now) }

    var sleeperCount: Int { state.withLock(\.sleepers.count) }

    func set(to moment: Date) {
        let woken = state.withLock { state in
            state.now = moment
            let woken = state.sleepers.filter { $0.value.until <= moment }
            for id in woken.keys { state.sleepers[id] = nil }
            return woken.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    func sleep(until moment: Date) async throws {
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let result: Result<Void, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if state.now >= moment { return .success(()) }
                    state.sleepers[id] = (moment, continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }
}

extension Date {
    /// A moment by ISO 8601; the start of 1970 for any other text.
    init(_ text: String) {
        self.init(timeIntervalSince1970: Double(Timestamp(text)?.milliseconds ?? 0) / 1000)
    }
}

extension LinkInputs {
    /// Sources of a program without facts.
    static func empty(store: (any KeyValueStore)? = nil, tweaks: TweakRepository? = nil) -> LinkInputs {
        LinkInputs(store: store, tweaks: tweaks, surroundings: Surroundings(facts: ProgramFacts()))
    }

    /// Sources whose remote configuration is a provider.
    static func remote(_ provider: some ConfigProvider) -> LinkInputs {
        var inputs = LinkInputs.empty()
        inputs.remote = ObservedReader(ConfigReader(provider: provider))
        return inputs
    }
}

extension TweakDefinition<Int> {
    /// A tweak `n` whose initial value may change.
    static func numbered(
        changes: [ChangeSignal] = [],
        initial: @escaping @Sendable () -> Int
    ) -> TweakDefinition<Int> {
        TweakDefinition(
            "n",
            category: "A",
            section: "B",
            name: "C",
            editor: .text,
            converter: Int.configConverter,
            initialChanges: changes,
            initial: initial
        )
    }
}

/// Keeps changes of contexts in other tests from those of a suite, whose last good values they would end.
struct OwnContexts: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await ContextChanges.$ofProgram.withValue(ContextChanges()) { try await function() }
    }
}

extension Trait where Self == OwnContexts {
    static var ownContexts: OwnContexts { OwnContexts() }
}
