// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import Observing
internal import Synchronization

/// A property with the current value of a key.
///
/// ```swift
/// struct Banner {
///     @RemoteValue("app.banner.color") var color = RGBColor(0)
///     @RemoteValue("app.banner.words") var words = ["cats", "dogs"]
///     @RemoteValue("app.banner.hint") var hint: String?
/// }
/// ```
///
/// The configuration is the program's (``ConfigState/bootstrap()``), unless another is named: `@RemoteValue("app.limit", in: state)`.
/// The property's own value is the default: it counts while the key is not there, its value cannot be read as the type, or no
/// configuration is set. `$color.problem` and ``ConfigState/problems`` have the reason.
///
/// **Observation.** Reads of the property are tracked like those of a property of an `@Observable` class, by key: changes of
/// other keys are ignored. A SwiftUI view that reads it in its `body` is redrawn, and `withObservationTracking` calls back.
/// Observers are called on the main actor, where no change is missed; on other threads, where Observation may miss a change
/// during a read, use ``ConfigState/observe(_:as:)``. An `@Observable` class marks the property with `@ObservationIgnored`.
@propertyWrapper
public struct RemoteValue<Value: Decodable & Sendable>: Sendable {
    /// The key.
    public let key: String
    /// The value that is used if there is no usable one.
    public let defaultValue: Value
    private let givenState: ConfigState?
    private let isOfOneKey = EntrySnapshot.isOfOneKey(Value.self)
    private let place = Place()

    /// The position of the key, once it was found.
    private final class Place: Sendable {
        let found = AtomicLazyReference<FoundKey>()
    }

    /// Creates a property.
    ///
    /// - Parameters:
    ///   - wrappedValue: the default.
    ///   - key: the key.
    ///   - state: the configuration; the program's if it is `nil`.
    public init(wrappedValue: Value, _ key: String, in state: ConfigState? = nil) {
        (self.key, defaultValue, givenState) = (key, wrappedValue, state)
    }

    /// Creates a property that is `nil` by default.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - state: the configuration; the program's if it is `nil`.
    public init<Wrapped>(_ key: String, in state: ConfigState? = nil) where Value == Wrapped? {
        self.init(wrappedValue: nil, key, in: state)
    }

    /// The value now; ``problem`` is why it may be the default.
    public var wrappedValue: Value {
        do throws(ConfigError) {
            return try current() ?? defaultValue
        } catch {
            state?.snapshot(below: key).report(error)
            return defaultValue
        }
    }

    /// The property itself, for details of its value: `$color.problem`.
    public var projectedValue: RemoteValue { self }

    /// The reason why the default is used although there should be a value: `typeMismatch` with the value's position, or
    /// `notFound` while no configuration is set. It is tracked together with the value.
    public var problem: ConfigError? {
        do throws(ConfigError) {
            _ = try current()
            return nil
        } catch {
            return error
        }
    }

    /// Whether the default counts.
    public var isDefault: Bool { (try? current()) == nil }

    /// - Returns: `nil` if the key is not there.
    private func current() throws(ConfigError) -> Value? {
        guard let state else {
            RemoteConfigSystem.absence.access()
            let message =
                "no configuration; call bootstrap() of its state at the start, or pass one with in:"
            throw ConfigError(.notFound, message, key: key)
        }
        // Before the value, so that no change after that is missed.
        trackedKey(in: state).access()
        return try state.value(forKey: key, as: Value.self)
    }

    private var state: ConfigState? { givenState ?? RemoteConfigSystem.state }

    private var trackedName: String { isOfOneKey ? key : key + "." }

    private func trackedKey(in state: ConfigState) -> ObservedReading {
        let found = place.found.load() ?? place.found.storeIfNil(FoundKey(state, trackedName))
        // A test may have replaced the state.
        return found.state === state ? found.tracked : state.trackedKeys[trackedName]
    }
}

/// A key of a state, as it is tracked.
private final class FoundKey: Sendable {
    let state: ConfigState
    let tracked: ObservedReading

    init(_ state: ConfigState, _ name: String) { (self.state, tracked) = (state, state.trackedKeys[name]) }
}
