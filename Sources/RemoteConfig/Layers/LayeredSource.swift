// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import ConfigRules
internal import Essentials
internal import Synchronization

/// Several sources in layers: for each key, the first source that has it counts.
///
/// ```swift
/// let source = LayeredSource([
///     FileSource(path: "/etc/app/override.json"),
///     try ServerSource(url: url),
/// ])
/// let defaults = try ConfigDocument(contentsOf: Bundle.main.url(forResource: "defaults", withExtension: "json"))
/// let service = RemoteConfigService(source: source, cache: cache, bundledDefault: defaults)
/// ```
///
/// The first layer is the topmost, as the first provider of a `ConfigReader` is. A key is there if any layer has it, so
/// that a layer can replace a value of those below but not take it away. A value that is an object replaces the keys of its
/// members below it as well, as it does over bundled defaults. Each entry keeps the name of its layer
/// (`ConfigEntry.source`) and its place there.
///
/// Each layer is followed independently: a file is watched, a document is polled, a server streams. Changes of several layers
/// at once form one change. A slow layer delays nothing: the values of the others are used in the meantime. A layer that fails
/// keeps its last good values, and the status has the problem of the topmost such layer (``SourceReading/problem``). The status
/// is `streaming` while every layer is.
///
/// What the service of this source is given holds for each layer: in its cache, each keeps its last good values in a
/// separate file and starts with them; its policy, logger, metrics and tracer are theirs. The service's own statistics
/// count how often the layers were put together, and the metrics tell each layer by its `source`. Each service follows
/// the layers separately.
public struct LayeredSource: ActiveSource {
    /// The names of the layers, with `over` in between, unless it was given another one.
    public let name: String
    /// The identities of the layers, in their order.
    public let identity: String
    /// By hints, for any layers.
    public let delivery = SourceDelivery.watched
    /// The layers, the topmost first.
    public let layers: [any ConfigSource]
    private let followed = Followed()

    /// Creates a source. The layers are followed while the service of this source runs.
    ///
    /// - Parameters:
    ///   - layers: the topmost first.
    ///   - name: what to call the whole; the default is made of the names of the layers.
    public init(_ layers: [any ConfigSource], name: String? = nil) {
        self.name = name ?? layers.map(\.name).joined(separator: " over ")
        identity = (["layers"] + layers.map(\.identity)).joined(separator: "\n")
        self.layers = layers
    }
}

// For a source that wraps this one and reads it itself. A service reads the layers.
extension LayeredSource {
    /// The engines of the layers in each context, since services may have different ones.
    private final class Followed: Sendable {
        private struct Entry {
            let context: EvaluationContext?
            let layers: Layers
            var followers: Set<Int> = []
        }

        private struct State {
            var isOffline = false
            /// At most one without a follower: that of a service that has read and does not run.
            var entries: [Entry] = []
            var lastFollower = 0
        }

        private let state = Mutex(State())

        /// The layers that are followed.
        var running: [Layers] { state.withLock { $0.entries.filter { !$0.followers.isEmpty }.map(\.layers) } }

        /// Returns the layers in a context.
        func layers(of source: LayeredSource, in context: EvaluationContext?) -> (layers: Layers, isNew: Bool) {
            state.withLock { state in
                let (index, isNew) = entry(of: source, in: context, &state)
                return (state.entries[index].layers, isNew)
            }
        }

        /// Returns the layers in a context for a follower, until ``end(_:)`` with its number.
        func begin(of source: LayeredSource, in context: EvaluationContext?) -> (layers: Layers, follower: Int) {
            state.withLock { state in
                let (index, _) = entry(of: source, in: context, &state)
                state.lastFollower += 1
                state.entries[index].followers.insert(state.lastFollower)
                return (state.entries[index].layers, state.lastFollower)
            }
        }

        /// Ends a follower, unless it has ended. Without another one, its context starts again at its next use.
        func end(_ follower: Int) {
            state.withLock { state in
                guard let index = state.entries.firstIndex(where: { $0.followers.contains(follower) }) else { return }
                state.entries[index].followers.remove(follower)
                if state.entries[index].followers.isEmpty { state.entries.remove(at: index) }
            }
        }

        /// Forgets layers without a follower, so that the next read starts them again.
        func forgetIdle() { state.withLock { $0.entries.removeAll { $0.followers.isEmpty } } }

        func setOffline(_ isOffline: Bool) async {
            let all = state.withLock { state in
                state.isOffline = isOffline
                return state.entries.map(\.layers)
            }
            for layers in all { await layers.setOffline(isOffline) }
        }

        /// Finds the entry of a context, or makes it. Those of other contexts are forgotten unless they are followed.
        private func entry(
            of source: LayeredSource,
            in context: EvaluationContext?,
            _ state: inout State
        ) -> (index: Int, isNew: Bool) {
            let context = source.dependsOnContext ? context : nil
            state.entries.removeAll { $0.followers.isEmpty && $0.context != context }
            if let index = state.entries.firstIndex(where: { $0.context == context }) { return (index, false) }
            let isOffline = state.isOffline
            let layers = Layers(of: source) { layer, _ in
                var settings = ServiceSettings()
                settings.notificationCenter = nil
                (settings.context, settings.isOffline) = (context, isOffline)
                return SyncEngine(source: layer, settings)
            }
            state.entries.append(Entry(context: context, layers: layers))
            return (state.entries.count - 1, true)
        }
    }

    /// The current values of the layers. It reads them if none has been read yet.
    ///
    /// - Throws: the problem of the topmost failing layer, if no layer has ever been read.
    public func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        let (layers, isNew) = followed.layers(of: self, in: known.context)
        if isNew || !layers.hasBeenTried { _ = await layers.refresh() }
        return try await layers.read(after: known)
    }

    /// Follows each layer, and hints whenever one has changed.
    public func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError) {
        let (layers, follower) = followed.begin(of: self, in: known.context)
        defer { followed.end(follower) }
        // Once it is cancelled, a refresh is that of another context, however long the layers take to end.
        await withTaskCancellationHandler {
            await layers.follow(after: known, receive)
        } onCancel: {
            followed.end(follower)
        }
    }

    /// Refreshes the layers that are followed, all at the same time, and returns when the last one has answered.
    package func refresh() async -> Bool {
        followed.forgetIdle()
        await withTaskGroup { group in
            for layers in followed.running { group.addTask { _ = await layers.refresh() } }
        }
        return true
    }

    /// Sets each layer offline or online.
    package func setOffline(_ isOffline: Bool) async { await followed.setOffline(isOffline) }

    /// Whether every layer that is followed streams.
    package func reportsEveryChange() -> Bool {
        let running = followed.running
        return !running.isEmpty && running.allSatisfy { $0.reportsEveryChange() }
    }
}
