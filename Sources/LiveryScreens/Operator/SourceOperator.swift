// SPDX-License-Identifier: Apache-2.0

package import ConfigChanges
package import ConfigModel
package import ConfigWire

/// The access of an operator to a source: reads more than the values, and writes.
///
/// Each call is one task, which can be cancelled. Calls for actions that ``abilities`` does not allow throw `rejected` with the
/// reason; a source implements only the calls for actions that it may allow.
package protocol SourceOperator: Sendable {
    /// The actions that are possible, as far as that is known without a request.
    var abilities: OperatorAbilities { get }

    /// The actions that are possible with the rights that the source grants. ``abilities``, by default.
    func grantedAbilities() async throws(ConfigError) -> OperatorAbilities

    /// The facts on a key. A key without a value may have a rule or a schema.
    func details(of key: String) async throws(ConfigError) -> KeyDetails

    /// The changes of one entry or of all, newest first.
    ///
    /// - Parameters:
    ///   - key: a key, or that of a schema or a rule (`EntryKind.key(of:)`); `nil` for all.
    ///   - before: only revisions lower than this one.
    ///   - limit: the maximum number of records; there may be fewer, and then `next` is set.
    func history(of key: String?, before: UInt64?, limit: Int) async throws(ConfigError) -> HistoryMessage

    /// The values, schemas and rules at a revision.
    ///
    /// - Parameter revision: `nil` for now.
    func contents(at revision: UInt64?) async throws(ConfigError) -> SourceContents

    /// The names of the schemas, such as `app.*`. Those of ``contents(at:)``, by default.
    func schemaNames() async throws(ConfigError) -> Set<String>

    /// Checks changes as a write would, without writing: the rights, the schemas, the rules, and whether each entry still is what
    /// its change starts from.
    func check(_ changes: ConfigDiff) async throws(ConfigError) -> ChangeReport

    /// Makes changes, all of them or none, if each entry is still what its change starts from.
    ///
    /// - Parameter expecting: the revision that the source has to be at; any if `nil`. A file has none.
    /// - Throws: `rejected` with `violations` for values that violate their schemas.
    func publish(_ changes: ConfigDiff, message: String?, expecting: UInt64?) async throws(ConfigError)
        -> PublishResult

    /// Restores a revision as a whole, as a new revision.
    ///
    /// - Parameter expected: the revision that the source has to be at; any if `nil`.
    func rollback(
        to revision: UInt64,
        expecting expected: UInt64?,
        message: String?
    ) async throws(ConfigError) -> OperatorReceipt

    /// The drafts, first the drafts that wait for the user.
    func drafts() async throws(ConfigError) -> DraftInbox

    func draft(_ id: String) async throws(ConfigError) -> ServerDraft

    /// Makes or changes a draft.
    func change(_ change: DraftChange) async throws(ConfigError) -> ServerDraft
}

extension SourceOperator {
    package func grantedAbilities() async throws(ConfigError) -> OperatorAbilities { abilities }

    package func schemaNames() async throws(ConfigError) -> Set<String> {
        Set(try await contents(at: nil).contents.schemas.keys)
    }

    /// - Throws: `rejected` if an action is not possible.
    func require(_ action: OperatorAction) throws(ConfigError) {
        if !abilities.allows(action) { throw refusal(of: action) }
    }

    fileprivate func refusal(of action: OperatorAction) -> ConfigError {
        ConfigError(.rejected, abilities.reason(against: action) ?? "this source does not support it")
    }
}

// The calls for actions that no source of a kind allows.
extension SourceOperator {
    package func details(of key: String) async throws(ConfigError) -> KeyDetails { throw refusal(of: .details) }

    package func history(of key: String?, before: UInt64?, limit: Int) async throws(ConfigError) -> HistoryMessage {
        throw refusal(of: .history)
    }

    package func contents(at revision: UInt64?) async throws(ConfigError) -> SourceContents {
        throw refusal(of: .details)
    }

    package func check(_ changes: ConfigDiff) async throws(ConfigError) -> ChangeReport {
        throw refusal(of: .edit)
    }

    package func publish(_ changes: ConfigDiff, message: String?, expecting: UInt64?) async throws(ConfigError)
        -> PublishResult
    {
        throw refusal(of: .edit)
    }

    package func rollback(
        to revision: UInt64,
        expecting expected: UInt64?,
        message: String?
    ) async throws(ConfigError) -> OperatorReceipt {
        throw refusal(of: .rollback)
    }

    package func drafts() async throws(ConfigError) -> DraftInbox { throw refusal(of: .drafts) }
    package func draft(_ id: String) async throws(ConfigError) -> ServerDraft { throw refusal(of: .drafts) }
    package func change(_ change: DraftChange) async throws(ConfigError) -> ServerDraft { throw refusal(of: .drafts) }
}

/// The result of a publish.
package enum PublishResult: Equatable, Sendable {
    case published(OperatorReceipt)
    /// Nothing was written, since these entries have changed since their changes were made.
    case conflict([EntryConflict])
}

/// The receipt of a write.
package struct OperatorReceipt: Hashable, Sendable {
    /// The new revision; `nil` for a source without revisions.
    package var revision: UInt64?
    /// The number of changed entries.
    package var count: Int

    package init(revision: UInt64?, count: Int) { (self.revision, self.count) = (revision, count) }

    /// `revision 42`, or `the last change`.
    var name: String { revision.map { "revision \($0)" } ?? "the last change" }
}

/// The operator of a source that can only be read, such as a document on a static host.
package struct ReadOnlyOperator: SourceOperator {
    package let abilities: OperatorAbilities

    /// - Parameter reason: the reason why nothing else is possible, in a sentence for the user.
    package init(_ reason: String) { abilities = .none(reason) }
}

/// The facts on a key that a source has beyond its value.
package struct KeyDetails: Equatable, Sendable {
    package var key: String
    /// `nil` if the key has none.
    package var value: EntryValue?
    /// The revision of the value; `nil` for a source without revisions.
    package var revision: UInt64?
    package var createdAt: Timestamp?
    package var updatedAt: Timestamp?
    /// The last change of the value, with its author and message.
    package var record: HistoryRecord?
    /// The name of the schema that applies to the key, such as `app.*`.
    package var schemaName: String?
    package var schema: EntryValue?
    package var rule: EntryValue?

    package init(key: String) { self.key = key }

    /// The facts that are among the entries of a source.
    init(key: String, in contents: NamespaceContents) {
        (self.key, value, rule) = (key, contents.values[key], contents.rules[key])
        if let (name, schema) = contents.namedSchema(forKey: key) { (schemaName, self.schema) = (name, schema) }
    }
}

/// The entries of a source at one moment.
package struct SourceContents: Sendable {
    package var contents: NamespaceContents
    /// `nil` for a source without revisions.
    package var cursor: RevisionCursor?

    package init(_ contents: NamespaceContents, at cursor: RevisionCursor? = nil) {
        (self.contents, self.cursor) = (contents, cursor)
    }
}
