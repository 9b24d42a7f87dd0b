/// A moment in the history of a store: how far a client has read.
///
/// Two cursors can be compared only if they are of one epoch.
public struct Cursor: Hashable, Sendable {
    /// Whose history.
    public var epoch: Epoch
    /// How far: the last revision that is included; 0 is before the first.
    public var revision: UInt64

    /// Creates a cursor from its parts.
    public init(epoch: Epoch, revision: UInt64) {
        self.epoch = epoch
        self.revision = revision
    }
}

extension Cursor: LosslessStringConvertible {
    /// The epoch and the revision as in an event's id: `9f86d081884c7d65:42`.
    public var description: String { "\(epoch):\(revision)" }

    /// Reads what ``description`` writes; anything else is `nil`.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let epoch = Epoch(String(parts[0])), let revision = UInt64(decimal: parts[1]) else {
            return nil
        }
        self.init(epoch: epoch, revision: revision)
    }
}

extension UInt64 {
    /// Reads decimal digits as `description` writes them: no sign, no leading zero.
    package init?(decimal text: some StringProtocol) {
        guard let number = UInt64(text), String(number) == text else { return nil }
        self = number
    }
}
