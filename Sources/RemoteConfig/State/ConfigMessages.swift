public import Foundation

/// Posted after the configuration has changed, once for each state.
///
/// ```swift
/// for await update in NotificationCenter.default.messages(of: state, for: ConfigDidUpdate.self) {
///     print(update.changedKeys, state.current.snapshot.revision)
/// }
/// ```
public struct ConfigDidUpdate: NotificationCenter.AsyncMessage {
    /// The state that changed.
    public typealias Subject = ConfigState

    /// The revision that is current now; each message's is higher than the one before.
    public let revision: UInt64
    /// The keys whose value was added, changed or removed, sorted.
    public let changedKeys: [String]

    package init(revision: UInt64, changedKeys: [String]) {
        self.revision = revision
        self.changedKeys = changedKeys
    }
}

/// Posted after the connection to the source, or what is wrong with it, has changed.
public struct SyncStatusDidChange: NotificationCenter.AsyncMessage {
    /// The state whose status changed.
    public typealias Subject = ConfigState

    /// The status now.
    public let status: SyncStatus

    package init(status: SyncStatus) {
        self.status = status
    }
}
