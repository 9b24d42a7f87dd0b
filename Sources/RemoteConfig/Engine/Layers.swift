// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules
internal import Essentials
internal import Observing

/// The layers of a source, each followed by an engine that runs while the engine of the whole does.
struct Layers: ActiveSource {
    let name: String
    let identity: String
    let dependsOnContext: Bool
    let delivery = SourceDelivery.watched
    let layers: [any ConfigSource]
    /// Each layer has its own address.
    let address: URL? = nil
    private let engines: [SyncEngine]

    /// - Parameter engine: Makes the engine of a layer; its metrics have the name.
    init(of source: any ConfigSource, by engine: (_ layer: any ConfigSource, _ metricsName: String) -> SyncEngine) {
        (name, identity, dependsOnContext) = (source.name, source.identity, source.dependsOnContext)
        layers = source.layers
        engines = zip(layers, layers.metricsNames).map { engine($0, $1) }
    }

    /// The engines of all layers that have no layers themselves, the topmost first.
    var leaves: [SyncEngine] { engines.flatMap { $0.layers?.leaves ?? [$0] } }

    private var states: [ConfigState.Snapshot] { leaves.map(\.state.current) }

    /// The contents of the layers, the topmost first.
    var values: [LayerValues] { leaves.map { LayerValues(of: $0, in: $0.state.current) } }

    /// Whether the cache of a layer is loaded after its first state is shown.
    var loadLater: Bool { engines.contains { $0.loadsLater } }

    /// Whether a layer has been read or has failed, or there is none.
    var hasBeenTried: Bool { engines.isEmpty || states.contains(where: \.hasBeenTried) }

    /// Sets the context of the layers whose values depend on it. They run where the engine of the whole runs, so they
    /// have the values of the new context when this returns.
    func setContext(_ context: EvaluationContext?) {
        for layer in engines where layer.source.dependsOnContext {
            layer.assumeIsolated { _ = $0.setContext(context) }
        }
    }

    /// The current contents of the layers; `nil` if none has been read or has failed yet.
    ///
    /// - Throws: the problem of the topmost failing layer, if no layer has values.
    func reading() throws(ConfigError) -> SourceReading? {
        let layers = leaves.map { (engine: $0, state: $0.state.current) }
        let problem = layers.lazy.compactMap { layer in
            let status = layer.state.status
            return (status.problem ?? status.cacheProblem)?.namingIfUnnamed(source: status.source)
        }.first
        guard layers.isEmpty || layers.contains(where: { $0.state.status.origin != .nothing }) else {
            if let problem { throw problem }
            return nil
        }
        let values = layers.map { LayerValues(of: $0.engine, in: $0.state) }
        var reading = SourceReading(.layers(values), modifiedAt: values.modifiedAt, problem: problem)
        if layers.contains(where: { !$0.engine.hasAnswered(in: $0.state) }) {
            reading.preliminaryOrigin = values.origin
        }
        return reading
    }

    func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        if let reading = try reading() { return reading }
        throw ConfigError(.unreachable, "no layer has been loaded yet", source: name)
    }

    func follow(after known: SourcePosition, _ receive: SourceReceiver) async {
        let leaves = leaves
        let changes = DistinctUpdates(read: { (part: leaves.map { LayerMark($0.state.current) }, element: ()) }) {
            hint in
            leaves.map { layer in layer.state.observed.observe { if LayerMark($0) != LayerMark($1) { hint() } } }
        }
        await withTaskGroup { group in
            for layer in engines { group.addTask { await layer.run {} } }
            for await _ in changes where hasBeenTried { await receive(.hint(.settled)) }
            group.cancelAll()
        }
    }

    /// Reads each layer, all at the same time.
    func refresh() async {
        await withTaskGroup { group in
            for layer in engines { group.addTask { _ = await layer.refresh() } }
        }
    }

    func setOffline(_ isOffline: Bool) async {
        for layer in engines { await layer.setOffline(isOffline) }
    }

    /// Has each layer connect again.
    func reconnect() {
        for layer in engines { Task(executorPreference: layer.settings.executor) { await layer.reconnect() } }
    }

    /// Each layer waits until its own source has settled.
    func isSettled() -> Bool { true }

    /// Whether every layer streams.
    func reportsEveryChange() -> Bool { states.allSatisfy { $0.status.phase == .streaming } }
}

extension [any ConfigSource] {
    /// The names of the layers in metrics: their own, with the position if another layer, or the whole, has the same.
    fileprivate var metricsNames: [String] {
        let names = map(\.metricsName)
        return zip(1..., names).map { place, name in
            let isOwn = name != ClientMetrics.nameOfLayers && names.count { $0 == name } == 1
            return isOwn ? name : "\(name)#\(place)"
        }
    }
}

extension LayerValues {
    init(of layer: SyncEngine, in current: ConfigState.Snapshot) {
        let origin = layer.source.bundled == nil ? current.status.origin : .bundledDefault
        var contents = current.snapshot.layers[0]
        contents.isOfContext = origin == .source || !layer.source.dependsOnContext
        self.init(layer: contents, origin: origin, modifiedAt: current.status.modifiedAt)
    }
}

extension SyncEngine {
    /// Whether a layer has nothing better to wait for: a server has answered, or a file was looked at.
    fileprivate nonisolated func hasAnswered(in current: ConfigState.Snapshot) -> Bool {
        let status = current.status
        if status.origin == .source { return true }
        return source.delivery == .watched && (status.problem != nil || status.isSetOffline)
    }
}

/// The part of a layer that the whole depends on.
private struct LayerMark: Equatable {
    private let revision: UInt64
    /// In another context, the same values are another answer.
    private let context: EvaluationContext?
    private let phase: SourceStatus.Phase
    private let origin: ValueOrigin
    private let problems: [ConfigError?]

    init(_ layer: ConfigState.Snapshot) {
        context = layer.context
        (revision, phase, origin) = (layer.snapshot.revision, layer.status.phase, layer.status.origin)
        problems = [layer.status.problem, layer.status.cacheProblem]
    }
}

extension ConfigState.Snapshot {
    /// Whether there is something to say about a layer.
    fileprivate var hasBeenTried: Bool { status.origin != .nothing || status.problem != nil }
}
