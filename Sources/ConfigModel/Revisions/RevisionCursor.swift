// SPDX-License-Identifier: Apache-2.0

/// A position in the history of a store: how far a client has read.
///
/// Revisions can be compared only within one history: ``isOfSameHistory(as:)``.
public struct RevisionCursor: Hashable, Sendable {
    /// Whose history.
    package var epoch: Epoch
    /// The last included revision; 0 is before the first.
    public var revision: UInt64

    /// Creates a cursor from its parts.
    package init(epoch: Epoch, revision: UInt64) {
        self.epoch = epoch
        self.revision = revision
    }

    /// The position before the first revision of a new history, for a store that was created or restored from a backup.
    public static func ofNewHistory() -> RevisionCursor { RevisionCursor(epoch: .random(), revision: 0) }

    /// Whether both are positions in the history of one store, so that their revisions can be compared.
    public func isOfSameHistory(as other: RevisionCursor) -> Bool { epoch == other.epoch }
}

extension RevisionCursor: LosslessStringConvertible {
    /// The epoch (the identity of the history) and the revision as in an event's id: `9f86d081884c7d65:42`.
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

extension RevisionCursor {
    /// The header field for the revision that a client has seen, and for that of a write, `Livery-Revision: epoch:revision`:
    /// none of several servers on one store answers with anything older.
    package static let fieldName = "Livery-Revision"
}

/// The identity of a store's history, drawn at random when the store is created or restored from a backup.
///
/// A revision means something only within its epoch.
package struct Epoch: Hashable, Sendable {
    /// The 64 bits.
    package let rawValue: UInt64

    /// Creates an epoch from its 64 bits.
    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Draws an epoch.
    package static func random() -> Epoch {
        Epoch(rawValue: .random(in: .min ... .max))
    }
}

extension Epoch: LosslessStringConvertible {
    /// Sixteen lowercase hexadecimal digits, such as `9f86d081884c7d65`.
    package var description: String { rawValue.hexDigits }

    /// Reads what ``description`` writes; anything else is `nil`.
    package init?(_ text: String) {
        guard let rawValue = UInt64(hexDigits: text) else { return nil }
        self.rawValue = rawValue
    }
}

extension UInt64 {
    /// Sixteen lowercase hexadecimal digits, which sort as the numbers do.
    package var hexDigits: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Reads exactly sixteen lowercase hexadecimal digits.
    init?(hexDigits text: some StringProtocol) {
        guard text.utf8.allSatisfy({ $0.isDigit || $0.isSmallLetter }), text.utf8.count == 16 else { return nil }
        self.init(text, radix: 16)
    }
}
