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
///     BundledSource(try ConfigDocument(contentsOf: Bundle.main.url(forResource: "defaults", withExtension: "json"))),
/// ])
/// let service = RemoteConfigService(source: source, cache: cache)
/// ```
///
/// The first layer is the topmost, as the first provider of a `ConfigReader` is. A key is there if any layer has it, so
/// that a layer can replace a value of those below but not take it away. Each entry keeps the name of its layer
/// (`EntrySnapshot.Entry.source`) and its place there.
///
/// Each layer is followed as if it were alone: a file is watched, a document is polled, a server streams. What happens
/// in several layers at once is one change. Nothing waits for a slow layer: what the others hold counts meanwhile. A
/// layer that fails keeps its last good values, and the status tells what is wrong with the topmost such layer
/// (``SourceReading/problem``). The status is `live` while every layer is.
///
/// What the service of this source is given holds for each layer: in its cache, each keeps its last good values in a
/// separate file and starts with them; its policy, logger, metrics and tracer are theirs. The service's own statistics
/// count how often the layers were put together, and the metrics tell each layer by its `source`. Each service follows
/// the layers separately.
public struct LayeredSource: ConfigSource {
    /// The names of the layers, with `over` in between, unless it was given another one.
    public let name: String
    /// The identities of the layers, in their order.
    public let identity: String
    /// By hints, whatever the layers do.
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
    /// The engines of the layers, for each context: two services may have different ones.
    private final class Followed: Sendable {
        private struct State {
            var isOffline = false
            /// In the order of their last use.
            var all: [(context: EvaluationContext?, layers: Layers)] = []
        }

        private let state = Mutex(State())
        /// A context beyond these starts again when it is used next.
        private static let mostContexts = 8

        var all: [Layers] { state.withLock { $0.all.map(\.layers) } }

        func layers(of source: LayeredSource, in context: EvaluationContext?) -> Layers {
            let context = source.dependsOnContext ? context : nil
            return state.withLock { state in
                let index = state.all.firstIndex { $0.context == context }
                let layers = index.map { state.all.remove(at: $0).layers }
                let isOffline = state.isOffline
                let used =
                    layers
                    ?? Layers(of: source) { layer, _ in
                        var settings = ServiceSettings()
                        settings.notificationCenter = NotificationCenter()
                        (settings.context, settings.isOffline) = (context, isOffline)
                        return SyncEngine(source: layer, settings)
                    }
                state.all.append((context, used))
                if state.all.count > Self.mostContexts { state.all.removeFirst() }
                return used
            }
        }

        func setOffline(_ isOffline: Bool) async {
            state.withLock { $0.isOffline = isOffline }
            for layers in all { await layers.setOffline(isOffline) }
        }
    }

    /// The present values of the layers. It reads them if none has been read yet.
    ///
    /// - Throws: what is wrong with the topmost layer that fails, if no layer has ever been read.
    public func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        let layers = followed.layers(of: self, in: known.context)
        if !layers.hasBeenTried { _ = await layers.refresh() }
        return try await layers.read(after: known)
    }

    /// Follows each layer, and hints whenever there is something new in one.
    public func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError) {
        try await followed.layers(of: self, in: known.context).follow(after: known, receive)
    }

    /// Asks each layer, all at the same time, and returns when the last has answered.
    public func refresh() async -> Bool {
        for layers in followed.all { _ = await layers.refresh() }
        return true
    }

    /// Sets each layer offline or online.
    public func setOffline(_ isOffline: Bool) async { await followed.setOffline(isOffline) }

    /// Whether every layer is live.
    public func reportsEveryChange() -> Bool { followed.all.allSatisfy { $0.reportsEveryChange() } }
}
