// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import RemoteConfig
import Synchronization
import TestSupport

/// A source with different values for each user, with validators independent of the user, whose reads the test can delay.
final class PersonalSource: ConfigSource {
    let name: String
    let delivery: SourceDelivery
    let dependsOnContext = true
    private let state = Mutex(State())

    struct Read: Hashable {
        var user: String?
        var tag: String?
    }

    private struct State {
        var reads: [Read] = []
        var followers: [String?] = []
        var version = 1
        var isHolding = false
        /// The only user whose reads are delayed; `nil` for all.
        var heldUser: String?
        var held: [CheckedContinuation<Void, Never>] = []
    }

    init(_ name: String = "personal", delivery: SourceDelivery = .polled(every: .seconds(86_400))) {
        (self.name, self.delivery) = (name, delivery)
    }

    var reads: [Read] { state.withLock(\.reads) }
    /// The users that the source was followed for.
    var followers: [String?] { state.withLock(\.followers) }
    var heldCount: Int { state.withLock(\.held.count) }

    /// Publishes other values.
    func publish() { state.withLock { $0.version += 1 } }

    /// Delays the reads from now on, including cancelled ones: those of a user, or all.
    func hold(user: String? = nil) { state.withLock { ($0.isHolding, $0.heldUser) = (true, user) } }

    func release() {
        let held = state.withLock { state in
            defer { (state.isHolding, state.held) = (false, []) }
            return state.held
        }
        for read in held { read.resume() }
    }

    func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        let (user, tag) = (known.context?.targetingKey, known.validators?.entityTag)
        let version = state.withLock { state in
            state.reads.append(Read(user: user, tag: tag))
            return state.version
        }
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                let isHeld = state.isHolding && (state.heldUser == nil || state.heldUser == user)
                if isHeld { state.held.append(continuation) }
                return isHeld
            }
            if !isHeld { continuation.resume() }
        }
        if tag == "v\(version)" { return SourceReading(.unchanged) }
        let document = try ConfigDocument(values: ["user": .string(user ?? "nobody"), "version": .integer(version)])
        return SourceReading(.document(document), validators: SourceValidators(entityTag: "v\(version)"))
    }

    func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError) {
        state.withLock { $0.followers.append(known.context?.targetingKey) }
        if delivery == .watched { await receive(.hint(.settled)) }
        for await _ in AsyncStream<Never>.makeStream().stream {}
    }
}

extension EvaluationContext {
    init(_ user: String) { self.init(targetingKey: user) }
}

extension EntryValue {
    /// A rule with a value for users whose language is Spanish, and one for all others.
    static func byLanguage(_ spanish: EntryValue, _ others: EntryValue) -> EntryValue {
        [
            "variants": ["es": spanish, "others": others], "defaultVariant": "others",
            "targeting": ["if": [["==": [["var": "language"], "es"]], "es"]],
        ]
    }
}

/// A value of the branch `theme`.
struct Theme: Codable, Equatable, Sendable {
    var font: String
    var size: Int
}
