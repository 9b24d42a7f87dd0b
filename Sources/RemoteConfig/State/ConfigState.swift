public import ConfigModel

/// The configuration that the program shows at this moment, for any thread to read.
///
/// It is replaced whole, so a reader sees one state or the next and never a mixture. It is also the subject of
/// ``ConfigDidUpdate`` and ``SyncStatusDidChange`` on the notification centre.
public final class ConfigState: Sendable {
    /// A configuration and how it stands to its source.
    public struct Current: Hashable, Sendable {
        /// The configuration.
        public var snapshot: ConfigSnapshot
        /// How it stands to its source.
        public var status: SyncStatus

        /// Creates a state from its parts.
        public init(snapshot: ConfigSnapshot, status: SyncStatus) {
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
    public var current: Current { observed.state }

    /// The configuration now, for those who do not care how it stands to its source.
    var snapshot: ConfigSnapshot { observed.read(\.snapshot) }

    /// The entry of a key now.
    func entry(forKey key: String) -> ConfigSnapshot.Entry? {
        observed.read { $0.snapshot.entries[key] }
    }

    /// How many observe the state at the moment.
    package var observerCount: Int { observed.observerCount }

    func replace(with next: Current) {
        observed.replace(with: next)
    }
}
