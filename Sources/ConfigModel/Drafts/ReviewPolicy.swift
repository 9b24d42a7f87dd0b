// SPDX-License-Identifier: Apache-2.0

/// The rules by which the changes of a namespace are reviewed.
package struct ReviewPolicy: Hashable, Sendable {
    /// How changes without a draft are treated.
    package enum Direct: String, CaseIterable, Sendable {
        /// They are made.
        case allow
        /// They are refused.
        case deny
        /// They are refused, except for an administrator who states a reason.
        case emergency
    }

    /// The number of approvals that a draft needs, 0–5.
    package var approvals = 0
    /// The keys that need a review: names, and prefixes such as `app.*`; all keys if it is empty.
    package var protected: [String] = []
    /// Changes without a draft.
    package var direct = Direct.allow
    /// The time after its instant within which a scheduled draft may still be applied.
    package var window = Duration.seconds(15 * 60)

    /// Drafts are optional, and need no approvals.
    package init() {}

    /// The key under which a policy is stored, in ``DraftNamespace``.
    package static let key = "policy"
    /// The name of the policy among the keys of a draft, which no key can have.
    package static let draftKey = "$policy"
    package static let maximumApprovals = 5
    package static let maximumWindow = Duration.seconds(7 * 24 * 3600)
    private static let maximumPatterns = 1000
}

extension ReviewPolicy {
    /// Whether changes of protected keys need a draft.
    package var needsDraft: Bool { direct != .allow }

    /// Whether a change of an entry needs a review, by its key in the store. A schema of several keys counts as each of them,
    /// and the shared evaluators as every key with a rule.
    package func protects(_ key: String) -> Bool {
        if protected.isEmpty { return true }
        let (kind, name) = EntryKind.named(key)
        if kind == .rule, name == EntryKind.sharedRules { return true }
        let changed = KeyPattern(name)
        return protected.contains { KeyPattern($0).overlaps(changed) }
    }

    /// Whether this policy requires less than another one in any respect, so that the other one decides about the change.
    package func requiresLess(than other: ReviewPolicy) -> Bool {
        if approvals < other.approvals { return true }
        let order: [Direct] = [.allow, .emergency, .deny]
        if let mine = order.firstIndex(of: direct), let theirs = order.firstIndex(of: other.direct), mine < theirs {
            return true
        }
        if !other.needsDraft, other.approvals == 0 { return false }
        let others = other.protected.isEmpty ? ["*"] : other.protected
        let mine = protected.isEmpty ? ["*"] : protected
        return !others.allSatisfy { pattern in mine.contains { KeyPattern($0).covers(KeyPattern(pattern)) } }
    }

    /// The error in the policy, with the next step; `nil` if it is valid.
    package var problem: String? {
        guard (0...Self.maximumApprovals).contains(approvals) else {
            return "'approvals' must be an integer from 0 to \(Self.maximumApprovals)"
        }
        if approvals > 0, direct == .allow {
            return "a policy with approvals must not allow direct changes; set 'direct' to \"deny\" or \"emergency\""
        }
        guard window >= .zero, window <= Self.maximumWindow else {
            return "'window' must be a duration from 0s to 7d"
        }
        guard protected.count <= Self.maximumPatterns else {
            return "'protected' must have at most \(Self.maximumPatterns) keys; use prefixes such as app.*"
        }
        for pattern in protected {
            if let problem = SchemaName.problem(in: pattern) { return "the protected key '\(pattern)' \(problem)" }
        }
        return nil
    }
}

// The words of a policy.
extension ReviewPolicy {
    package var protectedText: String { protected.isEmpty ? "all keys" : protected.joined(separator: ", ") }

    /// The window in the largest unit of which it has a whole number: `90s`, `15m`, `2h`.
    package var windowText: String {
        let seconds = window.components.seconds
        let (size, unit) = [(86_400, "d"), (3600, "h"), (60, "m")].first { seconds % $0.0 == 0 } ?? (1, "s")
        return seconds == 0 ? "none" : "\(seconds / size)\(unit)"
    }
}

/// A key, or the keys with a prefix: `app.color`, `app.*`, `*`.
private struct KeyPattern {
    /// With its dot at the end, if there are keys below it.
    let text: Substring
    let isPrefix: Bool

    init(_ text: String) {
        isPrefix = text.hasSuffix("*")
        self.text = isPrefix ? text.dropLast() : Substring(text)
    }

    func covers(_ other: KeyPattern) -> Bool {
        isPrefix ? other.text.utf8.starts(with: text.utf8) : !other.isPrefix && other.text == text
    }

    func overlaps(_ other: KeyPattern) -> Bool { covers(other) || other.covers(self) }
}

extension EntryValue {
    /// A revision as a number, or as a text beyond the integers of JSON.
    package init(revision: UInt64) {
        self =
            Int(exactly: revision).flatMap { $0 <= Self.maximumInteger ? .integer($0) : nil } ?? .string("\(revision)")
    }
}

extension ReviewPolicy {
    /// The policy as it is stored, and as it is sent.
    package var stored: EntryValue {
        [
            "approvals": .integer(approvals), "protected": .array(protected.map(EntryValue.string)),
            "direct": .string(direct.rawValue), "window": window.entryValue ?? .null,
        ]
    }

    /// Reads the members of ``stored``, all of them.
    package init(_ members: EntryObject) throws(ReviewPolicyError) {
        guard case .integer(let approvals)? = members["approvals"] else {
            throw ReviewPolicyError("'approvals' must be an integer from 0 to \(Self.maximumApprovals)")
        }
        guard case .string(let text)? = members["direct"], let direct = Direct(rawValue: text) else {
            throw ReviewPolicyError("'direct' must be \"allow\", \"deny\" or \"emergency\"")
        }
        guard case .string? = members["window"], let window = members["window"].flatMap(Duration.init(configValue:))
        else {
            throw ReviewPolicyError("'window' must be a duration such as \"15m\"")
        }
        guard case .array(let protected)? = members["protected"] else {
            throw ReviewPolicyError("'protected' must be an array of keys")
        }
        (self.approvals, self.direct, self.window) = (approvals, direct, window)
        for pattern in protected {
            guard case .string(let text) = pattern else {
                throw ReviewPolicyError("'protected' must be an array of keys")
            }
            self.protected.append(text)
        }
        if let problem { throw ReviewPolicyError(problem) }
    }

    /// Reads what ``stored`` writes; `nil` if it is anything else.
    package init?(stored: EntryValue) {
        guard case .object(let members) = stored, let policy = try? ReviewPolicy(members) else { return nil }
        self = policy
    }
}

/// The error in a policy, with the next step.
package struct ReviewPolicyError: Error, Hashable {
    package let message: String

    init(_ message: String) { self.message = message }
}
