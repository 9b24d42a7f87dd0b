// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
package import ConfigRules
package import Essentials
package import Logging
package import Metrics
package import Tracing

/// The settings of a service and of its engine, as ``RemoteConfigService`` describes them.
package struct ServiceSettings: Sendable {
    package var cache: ConfigCache?
    /// How long a change of a watched source, such as a file, waits before it is cached, so that a program draws it first.
    package var pauseBeforeCaching = Duration.zero
    package var bundledDefault: ConfigDocument?
    /// The context that the engine starts in, to which the standard attributes are added.
    package var context: EvaluationContext?
    /// Whether the context is used without the standard attributes of this machine.
    package var isContextExact = false
    package var activation = ActivationPolicy.immediate
    package var policy = ConnectionPolicy()
    package var isOffline = false
    /// Returns the keys whose values the program cannot use: for these, the cache keeps the last values that it could use.
    package var unusableKeys: @Sendable (ConfigState.Snapshot) -> [String] = { _ in [] }
    package var notificationCenter: NotificationCenter? = .default
    package var logger: Logger?
    package var metricsFactory: (any MetricsFactory)?
    /// Whether the source is a layer of another one.
    var isLayer = false
    /// The name of the source in metrics; `nil` for that of its address.
    var metricsName: String?
    package var tracer: (any Tracer)?
    package var clock: any SyncClock = SystemSyncClock()
    package var jitter: @Sendable () -> Double = { .random(in: 0..<1) }
    package var now: @Sendable () -> Timestamp = { .now }
    /// The executor of the engine. Other work of a program runs best here too: a change then wakes one thread.
    var executor = QueueExecutor()

    /// The default settings.
    package init() {}
}

extension ServiceSettings {
    /// The lengths of pauses.
    var pauses: RetryDelays { RetryDelays(policy: policy, jitter: jitter) }

    /// The version of the program, for rules.
    var programVersion: String? { cache?.version }

    /// The settings of the engine of a layer.
    func ofLayer(_ layer: any ConfigSource, named name: String) -> ServiceSettings {
        var settings = self
        (settings.bundledDefault, settings.activation, settings.isOffline) = (nil, .immediate, false)
        settings.isLayer = true
        // The states of layers are private, so their changes are announced to no observer.
        settings.notificationCenter = nil
        settings.metricsName = metricsName.map { "\($0)/\(name)" } ?? name
        // Layers that depend on the context run on the executor of the whole, so that the context of all is set in one
        // step.
        if layer.dependsOnContext { return settings }
        settings.executor = QueueExecutor()
        // The other layers pass their rules on, and the whole is evaluated once.
        settings.context = nil
        return settings
    }
}
