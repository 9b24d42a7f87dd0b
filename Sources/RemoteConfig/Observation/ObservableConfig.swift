// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import Observation
internal import Observing

/// A configuration for Swift's Observation, tracked by key: for SwiftUI, and for any other program that draws what it reads.
///
/// ```swift
/// import Observation
///
/// @MainActor final class Screen {
///     let config = ObservableConfig(service.state)
///
///     func draw() {
///         withObservationTracking {
///             print(config.value(forKey: "app.background.color", default: RGBColor(0)))
///         } onChange: {
///             Task { @MainActor in self.draw() }
///         }
///     }
/// }
/// ```
///
/// A SwiftUI view takes it from its environment: `@Environment(ObservableConfig.self) var config`. A change of a key is
/// announced, on the main actor, only to readers of that key, if it is one in the program's own context; see ``RemoteValue``
/// for other threads.
public final class ObservableConfig: Observable, Sendable {
    /// The state that is observed.
    public let state: ConfigState

    /// Creates a view of a state.
    public init(_ state: ConfigState) { self.state = state }

    /// The relation of the configuration to its source.
    public var status: SourceStatus {
        state.trackedKeys[ConfigState.statusKey].access()
        return state.observed.read(\.status)
    }
}

extension ObservableConfig: ValueReading {
    /// The entry of a key now.
    public func entry(forKey key: String) -> ConfigEntry? {
        // Before the value, so that no change after that is missed.
        state.trackedKeys[key].access()
        return state.entry(forKey: key)
    }

    /// The state now, of which a key and the keys below it are observed.
    public func snapshot(below key: String) -> ConfigState.Snapshot {
        state.trackedKeys[key + "."].access()
        return state.snapshot(below: key)
    }
}
