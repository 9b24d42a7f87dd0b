// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Configuration
import Foundation
import Observing
import RemoteConfigTesting
import Testing

/// A clock that stands still until it is set.
final class SetClock: WallClock {
    private let start: Date
    private let clock = TestClock()

    init(_ now: Date) { start = now }

    var now: Date { start.addingTimeInterval(clock.elapsed / .seconds(1)) }

    var sleeperCount: Int { clock.callCount }

    func set(to moment: Date) { clock.advance(by: .seconds(moment.timeIntervalSince(now))) }

    func sleep(until moment: Date) async throws {
        try await clock.sleep(until: clock.instant(at: .seconds(moment.timeIntervalSince(start))))
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

extension ObservedReader {
    /// The environment variables of a program.
    static func environment(_ variables: [String: String]) -> ObservedReader {
        let provider = EnvironmentVariablesProvider(environmentVariables: variables)
        return ObservedReader(ConfigReader(provider: provider), watching: .constant)
    }
}

extension TweakDefinition<Int> {
    /// A tweak `n` whose initial value may change.
    static func numbered(
        changes: ChangeSignal? = nil,
        initial: @escaping @Sendable () -> Int
    ) -> TweakDefinition<Int> {
        TweakDefinition(
            "n",
            category: "A",
            section: "B",
            name: "C",
            editor: .text,
            converter: Int.configConverter,
            initialChanges: changes?.observe,
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
