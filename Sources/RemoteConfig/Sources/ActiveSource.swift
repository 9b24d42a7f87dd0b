// SPDX-License-Identifier: Apache-2.0

/// A source of this package that watches files.
package protocol ActiveSource: ConfigSource {
    /// Whether nothing has changed since the last hint that the source has settled. Otherwise such a hint follows.
    ///
    /// Called after a failed reading, during which a writer may have been at work.
    func isSettled() -> Bool

    /// Whether every change leads to a hint at once. Otherwise, if the source itself has to poll, the status of a
    /// ``SourceDelivery/watched`` source is `polling`.
    func reportsEveryChange() -> Bool
}

extension ConfigSource {
    /// The source itself or the one that it wraps, if that is active.
    package var active: (any ActiveSource)? { self as? any ActiveSource ?? wrapped?.active }
}
