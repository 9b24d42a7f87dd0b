// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules
internal import Logging

/// A source whose layers are each followed by a separate service, which runs while the service of the whole does.
protocol SourceOfLayers: ConfigSource {
    /// The source with its services, which are made unless there are any.
    ///
    /// - Parameter service: Makes a service; its metrics have the name.
    func connected(
        by service: (_ layer: any ConfigSource, _ bundled: ConfigDocument?, _ metricsName: String) -> SyncService
    ) -> any ConfigSource

    /// Sets the context of the layers whose values depend on it. They run where the service of the whole runs, so they
    /// have the values of the new context when this returns.
    func setContext(_ context: EvaluationContext?)

    /// The current contents of the layers; `nil` if none has been read or has failed yet. See `ConfigSource/read(after:)`,
    /// which returns the same.
    func reading() throws(ConfigError) -> SourceReading?

    /// The services of all layers that have no layers themselves, the topmost first.
    var leaves: [SyncService] { get }
}

extension SourceOfLayers {
    /// The contents of the layers, the topmost first.
    var values: [LayerValues] { leaves.map { LayerValues(of: $0, in: $0.state.current) } }
}

extension LayerValues {
    init(of layer: SyncService, in current: ConfigState.Current) {
        self.init(
            held: current.snapshot.held,
            dependsOnContext: layer.source.dependsOnContext,
            origin: layer.source is BundledSource ? .bundledDefault : current.status.origin,
            modifiedAt: current.status.modifiedAt
        )
    }
}

extension CacheFile {
    /// The file of a source in a context; `nil` for layers, each of which has its own file.
    init?(of cache: ConfigCache, for source: any ConfigSource, in context: EvaluationContext?, _ logger: Logger?) {
        if source is any SourceOfLayers { return nil }
        let context = source.dependsOnContext ? context ?? EvaluationContext() : nil
        self.init(of: cache, source: source.name, identity: source.identity, context: context, logger: logger)
    }
}
