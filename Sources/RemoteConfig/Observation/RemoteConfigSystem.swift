// SPDX-License-Identifier: Apache-2.0

internal import Observing
internal import Synchronization

/// The program's own configuration, for each ``RemoteValue`` that names no other.
///
/// ```swift
/// let service = SyncService(source: source)
/// RemoteConfigSystem.bootstrap(service.state)
/// ```
///
/// It is set once, when the program starts, as the systems of swift-log and swift-metrics are. Libraries and tests leave it
/// alone and name the state that they mean: `@RemoteValue("app.limit", in: state)`.
public enum RemoteConfigSystem {
    private static let configured = AtomicLazyReference<ConfigState>()
    /// What is read while there is no configuration.
    static let absence = ObservedReading()

    /// Sets the program's configuration. What has been read before, and was a default, is read anew by whoever observes it.
    ///
    /// - Returns: whether it is set now; `false` if another one was set before, which stays.
    @discardableResult
    public static func bootstrap(_ state: ConfigState) -> Bool {
        let isSet = configured.storeIfNil(state) === state
        if isSet { absence.announceOnMain() }
        return isSet
    }

    /// The program's configuration; `nil` before ``bootstrap(_:)``.
    public static var state: ConfigState? { configured.load() }
}
