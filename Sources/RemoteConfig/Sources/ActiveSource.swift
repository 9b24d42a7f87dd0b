// SPDX-License-Identifier: Apache-2.0

/// A source of this package that does more than read and follow: it watches files, or follows other sources itself.
package protocol ActiveSource: ConfigSource {
    /// Refreshes the sources that this one reads, on a call of ``RemoteConfigService/refresh(timeout:)``. The next reading has
    /// their current contents.
    ///
    /// - Returns: whether this source reads others. The default does nothing and returns `false`.
    func refresh() async -> Bool

    /// Notifies a source with its own services that the program was set offline or online
    /// (``RemoteConfigService/setOffline(_:)``). The default does nothing.
    func setOffline(_ isOffline: Bool) async

    /// Whether nothing has moved since the last hint that the source has settled. Otherwise such a hint follows.
    ///
    /// Called after a failed reading, which may have met a writer half-way. The default is always `true`.
    func isSettled() -> Bool

    /// Whether every change leads to a hint at once. Otherwise, if the source itself has to poll, the status of a
    /// ``SourceDelivery/watched`` source is `polling`. The default is always `true`.
    func reportsEveryChange() -> Bool
}

extension ActiveSource {
    /// Does nothing: for a source that keeps nothing of others.
    package func refresh() async -> Bool { false }

    /// Does nothing, which is right for a source without its own services.
    package func setOffline(_ isOffline: Bool) async {}

    /// `true`: for a source whose readings are never half-way.
    package func isSettled() -> Bool { true }

    /// `true`, for a source that either reports changes or is polled.
    package func reportsEveryChange() -> Bool { true }
}

extension ConfigSource {
    /// The source itself or the one that it wraps, if that is active.
    package var active: (any ActiveSource)? { self as? any ActiveSource ?? wrapped?.active }
}
