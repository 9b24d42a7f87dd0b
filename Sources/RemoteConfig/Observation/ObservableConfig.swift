// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import Observation
internal import Observing

/// A configuration as Swift's Observation sees it, key by key: for SwiftUI, and for any other program that draws what it
/// reads.
///
/// ```swift
/// import Observation
///
/// @MainActor final class Screen {
///     let config = ObservableConfig(service.state)
///
///     func draw() {
///         withObservationTracking {
///             print(config["app.background.color", default: RGBColor(rgb24: 0)])
///         } onChange: {
///             Task { @MainActor in self.draw() }
///         }
///     }
/// }
/// ```
///
/// A view of SwiftUI takes it from its environment: `@Environment(ObservableConfig.self) var config`. A change of a key is
/// announced, on the main actor, to those who have read that key and to nobody else; see ``RemoteValue`` for other threads.
public final class ObservableConfig: Observable, Sendable {
    /// The state that is observed.
    public let state: ConfigState

    /// Creates a view of a state.
    public init(_ state: ConfigState) { self.state = state }

    /// The value of a key now; the default while the key is not there, or cannot be read as the type.
    public subscript<Value: EntryValueConvertible>(key: String, default value: @autoclosure () -> Value) -> Value {
        // `value(forKey:as:)` throws the reason.
        (try? self.value(forKey: key)) ?? value()
    }

    /// The value of a key now; `nil` while the key is not there.
    ///
    /// - Throws: `typeMismatch` with the value's place, if it cannot be read as the type.
    public func value<Value: EntryValueConvertible>(
        forKey key: String,
        as type: Value.Type = Value.self
    ) throws(ConfigError) -> Value? {
        // Before the value, so that no change after that is missed.
        state.trackedKeys[key].access()
        guard let entry = state.observed.read({ $0.snapshot.entries[key] }) else { return nil }
        return try entry.value(ofKey: key)
    }

    /// How the configuration stands to its source.
    public var status: SyncStatus {
        state.trackedKeys[ConfigState.statusKey].access()
        return state.observed.read(\.status)
    }
}
