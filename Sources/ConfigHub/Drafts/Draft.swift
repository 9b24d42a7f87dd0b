// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// A proposed revision of a namespace.
package struct Draft: Hashable, Sendable, Identifiable {
    /// A proposed change of an entry.
    package struct Operation: Hashable, Sendable {
        /// The proposed value; `nil` to remove the entry.
        package var value: EntryValue?
        /// The revision that the entry had when it was put into the draft; `nil` if there was none.
        package var base: UInt64?

        package init(_ value: EntryValue?, base: UInt64?) { (self.value, self.base) = (value, base) }
    }

    /// The stored state. Everything else is derived (``DraftStatus``).
    package enum State: Hashable, Sendable {
        case open
        /// With its revision; none if the namespace was as proposed already.
        case applied(revision: UInt64?)
        case closed(reason: String?)
    }

    /// The id: short, and unique in its namespace.
    package let id: String
    /// The epoch of the store in which it was created; in a later one it is closed.
    package let epoch: Epoch
    package var title = ""
    /// The message of the revision.
    package var message: String?
    /// The time to apply it at; `nil` to apply it by hand.
    package internal(set) var applyAt: String?
    /// The instant of that time, as the server computed it that was given the time: the servers of a store may have different
    /// versions of the time zone database.
    package internal(set) var instant: Timestamp?
    /// The proposed changes, by their keys as in `EntryKind`.
    package var operations: [String: Operation] = [:]
    /// The proposed policy, with the revision of the current one; `nil` to leave it.
    package var policy: Operation?
    /// A number that grows with each edit.
    package var version = 1
    package var state = State.open
    /// The subjects whose approvals counted when it was applied.
    package var approvers: [String] = []
    /// Its events, the oldest first. The first one is the creation.
    package var events: [DraftEvent] = []

    package init(id: String, epoch: Epoch) { (self.id, self.epoch) = (id, epoch) }

    /// Sets the time to apply it at; `nil` to apply it by hand.
    package mutating func schedule(_ time: ScheduledTime?) { (applyAt, instant) = (time?.text, time?.instant) }

    /// The subject that created it.
    package var author: String? { events.first?.actor.subject }

    /// The subjects that have written or edited it, without repetitions, the author first.
    package var editors: [String?] {
        var editors: [String?] = []
        for event in events where event.kind.isEdit && !editors.contains(event.actor.subject) {
            editors.append(event.actor.subject)
        }
        return editors
    }

    /// The revisions that entries must have so that it can be applied, by their keys; `nil` for none. A rule is removed with its
    /// key, so that the rule of a removed key is among them, and so is a proposed policy.
    package var bases: [String: UInt64?] {
        var bases: [String: UInt64?] = operations.mapValues(\.base)
        for (key, operation) in operations where operation.value == nil && EntryKind(of: key) == .value {
            let rule = EntryKind.rule.key(of: key)
            if operations[rule] == nil { bases[rule] = .some(nil) }
        }
        if let policy { bases[ReviewPolicy.draftKey] = .some(policy.base) }
        return bases
    }

    /// Takes the removal of the rule of a key out, which comes with that of the key.
    mutating func keepRule(of key: String) {
        let rule = EntryKind.rule.key(of: key)
        if operations[rule]?.value == nil { operations[rule] = nil }
    }

    package static let maximumOperations = 1000
    package static let maximumBytes = 1024 * 1024
    package static let maximumComments = 100
    package static let maximumCommentBytes = 4096
    package static let maximumOpen = 1000
    package static let maximumTitleLength = 200
    /// The maximum number of edits and reviews: each of them is kept.
    package static let maximumEvents = 1000
}

/// The sender of a request that concerns drafts.
package struct DraftActor: Hashable, Sendable {
    /// The subject of the token; `nil` where there are no tokens.
    package var subject: String?
    /// The name of the token; `nil` where there are no tokens.
    package var token: String?
    /// The hash of the token, in hexadecimal digits, by which it is found again.
    package var hash: String?

    package init(subject: String?, token: String?, hash: String?) {
        (self.subject, self.token, self.hash) = (subject, token, hash)
    }
}

/// An event in the life of a draft.
package struct DraftEvent: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case created, edited, rebased, approved, rejected, withdrew, applied, closed

        /// Whether whoever does it has a part in the content.
        var isEdit: Bool { self == .created || self == .edited || self == .rebased }
        /// Whether it is a review.
        package var isReview: Bool { self == .approved || self == .rejected || self == .withdrew }
    }

    package var kind: Kind
    package var actor: DraftActor
    package var time: Timestamp
    /// The version of the draft after it.
    package var version: Int
    /// The digest that a review has named.
    package var digest: String?
    /// The comment of a review, or the reason of an end.
    package var comment: String?

    package init(
        _ kind: Kind,
        by actor: DraftActor,
        at time: Timestamp,
        version: Int,
        digest: String? = nil,
        comment: String? = nil
    ) {
        (self.kind, self.actor, self.time, self.version) = (kind, actor, time, version)
        (self.digest, self.comment) = (digest, comment)
    }
}

extension Draft {
    /// SHA-256 of the content, in hexadecimal digits: of the canonical JSON (RFC 8785) of the epoch, the namespace, the
    /// operations, their bases, the message and the time.
    package func digest(in namespace: String) -> String {
        var proposed = operations.mapValues { $0.value ?? .null }
        var bases = operations.mapValues { $0.base.map(EntryValue.init(revision:)) ?? .null }
        if let policy {
            proposed[ReviewPolicy.draftKey] = policy.value ?? .null
            bases[ReviewPolicy.draftKey] = policy.base.map(EntryValue.init(revision:)) ?? .null
        }
        let content: EntryValue = [
            "epoch": .string(epoch.description),
            "namespace": .string(namespace),
            "operations": .object(EntryObject(proposed)),
            "bases": .object(EntryObject(bases)),
            "message": message.map(EntryValue.string) ?? .null,
            "apply_at": applyAt.map(EntryValue.string) ?? .null,
        ]
        return SHA256.hexadecimal(of: content.canonicalJSON)
    }

    /// The size of the operations as canonical JSON, in bytes.
    package var bytes: Int {
        operations.reduce(0) { $0 + $1.key.utf8.count + 16 + ($1.value.value?.canonicalByteCount ?? 4) }
    }

    /// The last review of each subject of the current version, in their order, without those withdrawn.
    package var currentReviews: [DraftEvent] {
        var currentReviews: [DraftEvent] = []
        for event in events where event.kind.isReview && event.version == version {
            currentReviews.removeAll { $0.actor.subject == event.actor.subject }
            if event.kind != .withdrew { currentReviews.append(event) }
        }
        return currentReviews
    }
}
