// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules
internal import Essentials
internal import Logging
internal import Metrics
internal import Tracing

/// The settings of an engine.
struct SyncSettings: Sendable {
    var cache: ConfigCache?
    var bundledDefault: ConfigDocument?
    /// The context that the engine starts in, without its standard attributes.
    var context: EvaluationContext?
    var activation: SyncActivation
    var pace: SyncPace
    var isOffline: Bool
    var notificationCenter: NotificationCenter
    var logger: Logger?
    var metricsFactory: (any MetricsFactory)?
    /// The name of the source in metrics; `nil` for that of its address.
    var metricsName: String?
    var tracer: (any Tracer)?
    var clock: any SyncClock
    var jitter: @Sendable () -> Double
    var now: @Sendable () -> Timestamp
    /// Where the engine runs. What a program does besides runs best here too: a change then wakes one thread.
    var executor: QueueExecutor

    /// The version of the program, for rules.
    var programVersion: String? { cache?.programVersion }

    /// The settings of the engine of a layer.
    func ofLayer(_ layer: any ConfigSource, named name: String) -> SyncSettings {
        var settings = self
        (settings.bundledDefault, settings.activation, settings.isOffline) = (nil, .immediate, false)
        // The states of layers are private, so their changes are announced to no observer.
        settings.notificationCenter = NotificationCenter()
        settings.metricsName = metricsName.map { "\($0)/\(name)" } ?? name
        // Layers that depend on the context run on the executor of the whole, so that the context of all is set in one step.
        if layer.dependsOnContext { return settings }
        settings.executor = QueueExecutor()
        // The other layers pass their rules on, and the whole is evaluated once.
        settings.context = nil
        return settings
    }
}
