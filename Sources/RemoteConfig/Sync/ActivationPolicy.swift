// SPDX-License-Identifier: Apache-2.0

/// When what was fetched is shown.
///
/// It is shown whole: all of a revision, or nothing of it. Whatever is chosen, it is kept in the cache as soon as it is
/// fetched, so that the next launch starts with it.
///
/// An app whose screens are not to change under the user's eyes fetches all the time, and shows what it has when the
/// user comes back:
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
    /// When the program is launched again, so that one launch shows one configuration; for that it needs a
    /// ``ConfigCache``. ``RemoteConfigService/activate()`` shows it earlier.
    case nextLaunch
}
