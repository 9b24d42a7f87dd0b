public import ConfigModel
public import Foundation
internal import Observing

/// The configuration that the program shows at this moment, for any thread to read.
///
/// It is replaced whole, so a reader sees one state or the next and never a mixture. It is also the subject of
/// ``ConfigDidUpdate`` and ``SyncStatusDidChange`` on the notification centre.
public final class ConfigState: Sendable {
    /// A configuration and how it stands to its source.
    public struct Current: Hashable, Sendable {
        /// The configuration.
        public var snapshot: EntrySnapshot
        /// How it stands to its source.
        public var status: SyncStatus

        /// Creates a state from its parts.
        public init(snapshot: EntrySnapshot, status: SyncStatus) {
            self.snapshot = snapshot
            self.status = status
        }
    }

    let observed: Observed<Current>

    /// Creates the empty state of a source that has not been read.
    public convenience init(source: String) {
        self.init(Current(snapshot: .empty, status: SyncStatus(source: source)))
    }

    /// Creates the state that a program starts with.
    package init(_ current: Current) {
        observed = Observed(current)
    }

    /// The state now.
    public var current: Current { observed.value }

    /// The configuration now, without how it stands to its source.
    var snapshot: EntrySnapshot { observed.read(\.snapshot) }

    /// The entry of a key now.
    func entry(forKey key: String) -> EntrySnapshot.Entry? {
        observed.read { $0.snapshot.entries[key] }
    }

    /// How many observe the state at the moment.
    package var observerCount: Int { observed.observerCount }

    func replace(with next: Current) {
        observed.replace(with: next)
    }
}

extension ConfigState {
    /// The state now, and then each one that follows it.
    ///
    /// A slow reader skips states but always gets the newest. The sequence ends when its task is cancelled.
    ///
    /// ```swift
    /// for await current in state.updates() {
    ///     print(current.status.phase, current.snapshot.revision)
    /// }
    /// ```
    public func updates() -> some AsyncSequence<Current, Never> & Sendable {
        observed.updates {
            StateMark($0)
        } element: { current, _ in
            current
        }
    }

    /// The value of a key now, and then each different one that follows it.
    ///
    /// A value is `nil` while the key is not there or cannot be read as the type. A slow reader skips values but
    /// always gets the newest. The sequence ends when its task is cancelled.
    ///
    /// ```swift
    /// for await color in state.updates(forKey: "app.background.color", as: RGBColor.self) {
    ///     paint(color ?? .black)
    /// }
    /// ```
    public func updates<Value: EntryValueConvertible & Equatable & Sendable>(
        forKey key: String,
        as type: Value.Type = Value.self
    ) -> some AsyncSequence<Value?, Never> & Sendable {
        observed.updates { current in
            current.snapshot.entries[key].flatMap { Value(configValue: $0.value) }
        } element: { _, value in
            value
        }
    }
}

extension ConfigState {
    /// Each state from now on, in order and without the one that is current.
    ///
    /// - Parameter limit: how many may wait for a slow reader, which gets the newest of more.
    package func succession(keeping limit: Int) -> AsyncStream<Current> {
        observed.succession(keeping: limit) { StateMark($0) != StateMark($1) }
    }
}

/// What makes a state differ from the next one: a revision of the values stands for all of them.
struct StateMark: Equatable {
    let revision: UInt64
    let cursor: Cursor?
    let status: SyncStatus

    init(_ current: ConfigState.Current) {
        revision = current.snapshot.revision
        cursor = current.snapshot.cursor
        status = current.status
    }
}

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
