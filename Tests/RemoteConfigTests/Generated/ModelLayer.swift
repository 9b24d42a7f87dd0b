// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import RemoteConfig
import RemoteConfigTesting
import Synchronization

/// A layer of a program: a source whose contents the test sets, and what the model knows of it.
final class ModelLayer: ConfigSource {
    let name: String
    let delivery = SourceDelivery.watched
    let dependsOnContext: Bool
    private let state = Mutex(State())

    struct State {
        /// The contents, by the name of the user if they depend on the user.
        var published: [String: ModelDocument] = [:]
        var revision: UInt64 = 1
        var isFailing = false
        /// What the model knows: the last answers by user, the answers fetched for the present user, and the current ones.
        var cached: [String: ModelDocument] = [:]
        var fetched: ModelDocument?
        var active: ModelDocument?
        /// Whether the next answer is the first one for a user.
        var awaitsFirst = false
    }

    init(_ name: String, dependsOnContext: Bool) {
        (self.name, self.dependsOnContext) = (name, dependsOnContext)
    }

    var known: State { state.withLock(\.self) }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    /// The name under which the contents for a user are known.
    func user(_ user: ModelUser?) -> String { dependsOnContext ? user?.name ?? "" : "" }

    /// The model of a successful read.
    func fetch(for user: ModelUser?, isStaged: Bool) {
        let name = self.user(user)
        state.withLock { state in
            if state.isFailing { return }
            let document = state.published[name] ?? ModelDocument()
            (state.fetched, state.cached[name]) = (document, document)
            if !isStaged || state.awaitsFirst { state.active = document }
            state.awaitsFirst = false
        }
    }

    /// The model of a start, or of another user.
    func begin(for user: ModelUser?, hasCache: Bool, wasActivated: Bool? = nil) {
        let name = self.user(user)
        state.withLock { state in
            if !hasCache { state.cached = [:] }
            (state.fetched, state.active) = (state.cached[name], state.cached[name])
            state.awaitsFirst = wasActivated.map { $0 || state.awaitsFirst } ?? false
        }
    }

    func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        let state = state.withLock(\.self)
        if state.isFailing { throw ConfigError(.unreachable, "failed by the test", source: name) }
        let document = state.published[known.context?.targetingKey ?? ""] ?? ModelDocument()
        return SourceReading(try document.content(named: name, revision: state.revision))
    }

    func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError) {
        await receive(.settled)
        for await _ in AsyncStream<Never>.makeStream().stream {}
    }
}

/// A source with fixed contents.
struct FixedLayer: ConfigSource {
    let name: String
    let dependsOnContext: Bool
    let document: ModelDocument
    let delivery = SourceDelivery.watched

    func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        SourceReading(try document.content(named: name, revision: 1))
    }
}
