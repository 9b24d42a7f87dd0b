// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import ConfigRules
internal import Observing
internal import Synchronization

/// Several sources in layers: for each key, the first source that has it counts.
///
/// ```swift
/// let source = LayeredSource([
///     FileSource(path: "/etc/app/override.json"),
///     try ServerSource(url: url),
///     BundledSource(try ConfigDocument(contentsOf: Bundle.main.url(forResource: "defaults", withExtension: "json"))),
/// ])
/// let service = SyncService(source: source, cache: cache)
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
/// What the service of this source is given holds for each layer: in its cache, each keeps its last good values in a file
/// of its own and starts with them; its pace, logger, metrics and tracer are theirs. The service's own statistics count how
/// often the layers were put together, and the metrics tell each layer by its `source`.
public struct LayeredSource: ConfigSource {
    /// The names of the layers, with `over` in between, unless it was given another one.
    public let name: String
    /// The identities of the layers, in their order.
    public let identity: String
    /// By hints, whatever the layers do.
    public let delivery = SourceDelivery.watched
    /// Whether the values of a layer do. Then each service of the source follows the layers separately.
    public var dependsOnContext: Bool { services.sources.contains { $0.dependsOnContext } }
    private var services: LayerServices

    /// Creates a source. The layers are followed while the service of this source runs.
    ///
    /// - Parameters:
    ///   - layers: the topmost first.
    ///   - name: what to call the whole; the default is made of the names of the layers.
    public init(_ layers: [any ConfigSource], name: String? = nil) {
        self.name = name ?? layers.map(\.name).joined(separator: " over ")
        identity = (["layers"] + layers.map(\.identity)).joined(separator: "\n")
        services = LayerServices(of: layers)
    }

    /// Creates a source whose layers are followed by a test's services.
    package init(
        _ layers: [any ConfigSource],
        name: String? = nil,
        service: (_ layer: any ConfigSource) -> SyncService
    ) {
        self.init(layers, name: name)
        services.make { layer, _ in service(layer) }
    }

    private var layers: [SyncService] { services.all }

    private var states: [ConfigState.Current] { leaves.map(\.state.current) }

    /// What the layers hold now. It asks none of them.
    ///
    /// - Throws: what is wrong with the topmost layer that fails, if no layer has ever been read.
    public func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        if let reading = try reading() { return reading }
        throw ConfigError(.unreachable, "no layer has been read yet", source: name)
    }

    /// Follows each layer, and hints whenever there is something new in one.
    public func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError) {
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let subscriptions = leaves.map { layer in
            layer.state.observe { previous, next in
                if LayerMark(previous) != LayerMark(next) { continuation.yield() }
            }
        }
        continuation.yield()
        await withTaskGroup { group in
            for layer in layers { group.addTask { await layer.run() } }
            for await _ in changes where states.contains(where: \.hasBeenTried) { await receive(.hint(.settled)) }
            group.cancelAll()
        }
        withExtendedLifetime(subscriptions) {}
    }

    /// Asks each layer, all at the same time, and returns when the last has answered.
    public func refresh() async -> Bool {
        await withTaskGroup { group in
            for layer in layers { group.addTask { _ = await layer.refresh() } }
        }
        return true
    }

    /// Sets each layer offline or online.
    public func setOffline(_ isOffline: Bool) async {
        for layer in layers { await layer.setOffline(isOffline) }
    }

    /// Whether every layer is live.
    public func reportsEveryChange() -> Bool { states.allSatisfy { $0.status.phase == .live } }
}

extension LayeredSource: SourceOfLayers {
    func connected(
        by service: (_ layer: any ConfigSource, _ bundled: ConfigDocument?, _ metricsName: String) -> SyncService
    ) -> any ConfigSource {
        var source = self
        // Two services may have two contexts.
        if dependsOnContext { source.services = LayerServices(of: services.sources) }
        source.services.make { service($0, ($0 as? BundledSource)?.document, $1) }
        return source
    }

    func setContext(_ context: EvaluationContext?) {
        for layer in layers where layer.source.dependsOnContext {
            layer.assumeIsolated { _ = $0.setContext(context) }
        }
    }

    func reading() throws(ConfigError) -> SourceReading? {
        let leaves = leaves
        let states = leaves.map(\.state.current)
        let values = zip(leaves, states).map { LayerValues(of: $0, in: $1) }
        guard var reading = try SourceReading(layers: states, values) else { return nil }
        if zip(leaves, states).contains(where: { !$0.hasAnswered(in: $1) }) {
            reading.preliminaryOrigin = values.origin
        }
        return reading
    }

    var leaves: [SyncService] { layers.flatMap { ($0.source as? any SourceOfLayers)?.leaves ?? [$0] } }
}

/// The services of layers, made once it is known how.
private final class LayerServices: Sendable {
    let sources: [any ConfigSource]
    private let services = Mutex<[SyncService]?>(nil)

    init(of sources: [any ConfigSource]) { self.sources = sources }

    func make(by service: (_ layer: any ConfigSource, _ metricsName: String) -> SyncService) {
        services.withLock { if $0 == nil { $0 = zip(sources, metricsNames).map { service($0, $1) } } }
    }

    /// What metrics tell the layers by: each one's own name, with its place where another layer, or the whole, has the same.
    private var metricsNames: [String] {
        let names = sources.map(\.metricsName)
        return zip(1..., names).map { place, name in
            let isOwn = name != SyncMetrics.nameOfLayers && names.count { $0 == name } == 1
            return isOwn ? name : "\(name)#\(place)"
        }
    }

    var all: [SyncService] { services.withLock { $0 ?? [] } }
}

extension SyncService {
    /// Whether nothing better is to be expected of a layer: a server has answered, or a file was looked at.
    fileprivate nonisolated func hasAnswered(in current: ConfigState.Current) -> Bool {
        let status = current.status
        if status.origin == .source { return true }
        return source.delivery == .watched && (status.problem != nil || status.isSetOffline)
    }
}

/// What of a layer matters to the whole.
private struct LayerMark: Equatable {
    private let revision: UInt64
    private let phase: SyncStatus.Phase
    private let origin: ValueOrigin
    private let problems: [ConfigError?]

    init(_ layer: ConfigState.Current) {
        (revision, phase, origin) = (layer.snapshot.revision, layer.status.phase, layer.status.origin)
        problems = [layer.status.problem, layer.status.cacheProblem]
    }
}

extension ConfigState.Current {
    /// Whether there is something to say about a layer.
    fileprivate var hasBeenTried: Bool { status.origin != .nothing || status.problem != nil }
}

extension SourceReading {
    /// What layers hold together; `nil` if none of them has been read or has failed yet.
    ///
    /// - Parameters:
    ///   - layers: the topmost first.
    ///   - values: what they have, those of layers of layers included.
    /// - Throws: what is wrong with the topmost layer that fails, if there is nothing in any.
    init?(layers: [ConfigState.Current], _ values: [LayerValues]) throws(ConfigError) {
        let problem = layers.lazy.compactMap { layer in
            (layer.status.problem ?? layer.status.cacheProblem)?.naming(layer: layer.status.source)
        }.first
        guard layers.contains(where: { $0.status.origin != .nothing }) else {
            if let problem { throw problem }
            return nil
        }
        self.init(.entries(ConfigEntries(layers: values)), problem: problem)
        self.layers = values
        modifiedAt = values.modifiedAt
    }
}

extension ConfigError {
    /// The same error, which belongs to a layer if it says nothing else.
    fileprivate func naming(layer: String) -> ConfigError { source == nil ? naming(source: layer) : self }
}
