// SPDX-License-Identifier: Apache-2.0

/// The time at which fetched values become current.
///
/// A revision becomes current as a whole or not at all. In any case, it is cached as soon as it is fetched, so that the next
/// launch starts with it.
///
/// An app whose screens must not change while the user looks at them fetches continuously, and activates the fetched values
/// when the user comes back:
///
/// ```swift
/// let service = RemoteConfigService(source: source, cache: cache, activation: .onDemand)
/// // When the app comes to the foreground:
/// print("new here:", await service.activate())
/// ```
public enum ActivationPolicy: String, Hashable, Sendable {
    /// As soon as it is there.
    case immediate
    /// When the program calls ``RemoteConfigService/activate()``; until then ``SourceStatus/hasStagedChanges`` is `true`
    /// if values wait. This is so for the very first values as well: without a cache or a bundled default nothing is
    /// shown before.
    case onDemand
    /// When the program is launched again, so that one launch uses one configuration; this needs a ``ConfigCache``.
    /// ``RemoteConfigService/activate()`` activates it earlier.
    case nextLaunch
}
