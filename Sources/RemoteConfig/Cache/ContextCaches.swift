// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// The cache of a service in its current context, and the caches of former contexts that are still to be written: a user
/// who returns gets the values that were shown last, even if the disk does not have them.
struct ContextCaches {
    /// The cache in the current context; `nil` for a service without a cache file, such as one with layers.
    var current: CacheKeeper?
    /// The caches of former contexts that lack their last state, the oldest first.
    private var former: [CacheKeeper] = []

    /// The maximum number of former contexts whose values wait for the disk.
    private static let maximumPendingContexts = 8

    /// `damaged`, or `unreadable` while a cache cannot be written.
    var problem: ConfigError? { current?.problem ?? former.first?.problem }

    /// When to call ``catchUp(at:isLast:)``; `nil` if everything is on the disk.
    var deadline: Duration? { ([current?.deadline] + former.map(\.deadline)).compactMap(\.self).min() }

    /// Changes to the cache of another context.
    mutating func change(to keeper: CacheKeeper?, at now: Duration) {
        current?.catchUp(at: now)
        if let current, current.isBehind { former.append(current) }
        current = keeper
        if let index = former.firstIndex(where: { $0.key == current?.key }) { current = former.remove(at: index) }
        if former.count > Self.maximumPendingContexts { former.removeFirst() }
    }

    /// Writes everything that is due.
    ///
    /// - Parameter isLast: Whether to write all that is not on the disk yet, because there may be no later attempt.
    mutating func catchUp(at now: Duration, isLast: Bool) {
        if isLast || current?.isDue(at: now) == true { current?.catchUp(at: now) }
        for index in former.indices where isLast || former[index].isDue(at: now) { former[index].catchUp(at: now) }
        former.removeAll { !$0.isBehind }
    }
}

extension CacheKeeper {
    fileprivate func isDue(at now: Duration) -> Bool { deadline.map { $0 <= now } ?? false }
}
