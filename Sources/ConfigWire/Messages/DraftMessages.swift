// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// The body of `POST /v1/{namespace}/drafts` and of `PATCH …/drafts/{id}`: in an edit, what is left out stays as it is.
package struct DraftRequest: Hashable, Sendable {
    package var title: String?
    /// The message of the revision; `null` in an edit removes it.
    package var message: String??
    /// The time to apply the draft at; `null` in an edit removes it.
    package var applyAt: String??
    /// The proposed values by key.
    package var set: [String: EntryValue] = [:]
    /// The keys to remove.
    package var unset: Set<String> = []
    /// The proposed schemas by name; `nil` removes one.
    package var schemas: [String: EntryValue?] = [:]
    /// The proposed rules by their keys; `nil` removes one.
    package var rules: [String: EntryValue?] = [:]
    package var policy: ReviewPolicy?
    /// The keys to take out of the draft, as in `EntryKind`.
    package var discard: [String] = []

    package init() {}

    /// The operations by their keys as in `EntryKind`; `nil` removes an entry.
    package var operations: [String: EntryValue?] {
        var operations: [String: EntryValue?] = set.mapValues { $0 }
        for key in unset { operations[key] = .some(nil) }
        for (name, schema) in schemas { operations[EntryKind.schema.key(of: name)] = .some(schema) }
        for (name, rule) in rules { operations[EntryKind.rule.key(of: name)] = .some(rule) }
        return operations
    }
}

extension DraftRequest: WireMessage {
    static let isRequest = true
    static let schema = DraftRequest().schema("DraftRequest")

    mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) throws(Visitor.Failure) {
        try members.optional("title", &title, TextForm())
        try members.optional("message", &message, TextForm(isReason: true).orNull)
        try members.optional("apply_at", &applyAt, TextForm().orNull)
        try members.optional("set", &set, ValuesForm(), if: !set.isEmpty)
        try members.optional("unset", &unset, KeySetForm(), if: !unset.isEmpty)
        try members.optional("schemas", &schemas, EditsForm(kind: .schema), if: !schemas.isEmpty)
        try members.optional("rules", &rules, EditsForm(kind: .rule), if: !rules.isEmpty)
        try members.optional("policy", &policy, PolicyForm())
        try members.optional("discard", &discard, TextsForm(), if: !discard.isEmpty)
    }

    package init(json: [UInt8]) throws(ConfigError) {
        self.init()
        try read(json)
        if let key = unset.sorted().first(where: { set[$0] != nil }) {
            throw ConfigError(.duplicateKey, "the key is in 'set' and in 'unset'; remove it from one", key: key)
        }
        if let key = discard.sorted().first(where: { operations[$0] != nil }) {
            let problem = "the key is in 'discard', and its change in the same request; remove one"
            throw ConfigError(.duplicateKey, problem, key: key)
        }
    }

    package var json: [UInt8] { body() }
}

/// The body of `POST …/drafts/{id}/rebase`: a choice for each key with a conflict.
package struct RebaseRequest: Hashable, Sendable {
    /// The keys whose proposed value stays, as in `EntryKind`.
    package var mine: [String] = []
    /// The keys that are taken out of the draft.
    package var theirs: [String] = []
    /// New proposals.
    package var set: [String: EntryValue] = [:]
    package var unset: Set<String> = []
    package var schemas: [String: EntryValue?] = [:]
    package var rules: [String: EntryValue?] = [:]

    package init() {}

    /// The new proposals by their keys as in `EntryKind`.
    package var operations: [String: EntryValue?] {
        var request = DraftRequest()
        (request.set, request.unset, request.schemas, request.rules) = (set, unset, schemas, rules)
        return request.operations
    }
}

extension RebaseRequest: WireMessage {
    static let isRequest = true
    static let schema = RebaseRequest().schema("RebaseRequest")

    mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) throws(Visitor.Failure) {
        try members.optional("mine", &mine, TextsForm(), if: !mine.isEmpty)
        try members.optional("theirs", &theirs, TextsForm(), if: !theirs.isEmpty)
        try members.optional("set", &set, ValuesForm(), if: !set.isEmpty)
        try members.optional("unset", &unset, KeySetForm(), if: !unset.isEmpty)
        try members.optional("schemas", &schemas, EditsForm(kind: .schema), if: !schemas.isEmpty)
        try members.optional("rules", &rules, EditsForm(kind: .rule), if: !rules.isEmpty)
    }

    package init(json: [UInt8]) throws(ConfigError) {
        self.init()
        try read(json)
        let named = mine + theirs + operations.keys + unset.filter { set[$0] != nil }
        guard let key = named.sorted().adjacentDuplicate else { return }
        throw ConfigError(.duplicateKey, "there are two choices for the key; remove one", key: key)
    }

    package var json: [UInt8] { body() }
}

/// The body of `POST …/drafts/{id}/reviews`.
package struct ReviewRequest: Hashable, Sendable {
    package enum Verdict: String, CaseIterable, Sendable { case approve, reject, withdraw }

    /// The digest of the content that was read.
    package var digest: String
    package var verdict: Verdict
    package var comment: String?

    package init(digest: String, verdict: Verdict, comment: String? = nil) {
        (self.digest, self.verdict, self.comment) = (digest, verdict, comment)
    }
}

extension ReviewRequest: WireMessage {
    static let isRequest = true
    private static let empty = ReviewRequest(digest: "", verdict: .approve)
    static let schema = empty.schema("ReviewRequest")

    mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) throws(Visitor.Failure) {
        try members.required("digest", &digest, TextForm().described(by: .contentDigest))
        try members.required("verdict", &verdict, ChoiceForm())
        try members.optional("comment", &comment, TextForm().described(by: .comment))
    }

    package init(json: [UInt8]) throws(ConfigError) {
        self = Self.empty
        try read(json)
    }

    package var json: [UInt8] { body() }
}

/// The body of `POST …/drafts/{id}/apply`.
package struct DraftApplyRequest: Hashable, Sendable {
    /// The digest of the content to apply.
    package var digest: String

    package init(digest: String) { self.digest = digest }
}

extension DraftApplyRequest: WireMessage {
    static let isRequest = true
    static let schema = DraftApplyRequest(digest: "").schema("DraftApplyRequest")

    mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) throws(Visitor.Failure) {
        try members.required("digest", &digest, TextForm().described(by: .contentDigest))
    }

    package init(json: [UInt8]) throws(ConfigError) {
        self.init(digest: "")
        try read(json)
    }

    package var json: [UInt8] { body() }
}

/// The body of `POST …/drafts/{id}/close`.
package struct DraftCloseRequest: Hashable, Sendable {
    package var reason: String?

    package init(reason: String? = nil) { self.reason = reason }
}

extension DraftCloseRequest: WireMessage {
    static let isRequest = true
    static let schema = DraftCloseRequest().schema("DraftCloseRequest")

    mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) throws(Visitor.Failure) {
        try members.optional("reason", &reason, TextForm().described(by: .comment))
    }

    package init(json: [UInt8]) throws(ConfigError) {
        self.init()
        try read(json)
    }

    package var json: [UInt8] { body() }
}

/// A draft without its content, as `GET /v1/{namespace}/drafts` lists it.
package struct DraftSummary: Hashable, Sendable {
    package var id = ""
    package var title = ""
    package var author: String?
    package var version = 1
    /// `open`, `applied` or `closed`.
    package var state = ""
    /// The derived state, such as `in review`.
    package var status = ""
    /// The steps before it can be applied, in words; empty if there are none.
    package var missing: [String] = []
    package var applyAt: String?
    /// The instant of ``applyAt``.
    package var instant: Timestamp?
    /// The keys that it changes, as in `EntryKind`, sorted.
    package var keys: [String] = []
    package var createdAt = Timestamp(milliseconds: 0)
    /// The time of its latest event.
    package var updatedAt = Timestamp(milliseconds: 0)
    /// The revision, once it has been applied.
    package var revision: UInt64?

    package init() {}

    /// The values of ``state`` and ``status``.
    package static let states = [
        "open", "in review", "approved", "scheduled", "due", "invalid", "conflicted", "missed", "applied", "closed",
    ]
}

extension DraftSummary: WireMessage {
    mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) throws(Visitor.Failure) {
        try members.required("id", &id, TextForm())
        try members.written("title", &title, TextForm())
        try members.written("author", &author, TextForm().orNull)
        try members.required("version", &version, CountForm())
        try members.required("state", &state, TextForm())
        try members.required("status", &status, TextForm())
        try members.written("missing", &missing, TextsForm())
        try members.optional("apply_at", &applyAt, TextForm())
        try members.optional("instant", &instant, StringForm.time)
        try members.written("keys", &keys, TextsForm())
        try members.written("created_at", &createdAt, StringForm.time)
        try members.written("updated_at", &updatedAt, StringForm.time)
        try members.optional("revision", &revision, RevisionForm())
    }
}

/// The answer to `GET /v1/{namespace}/drafts`: the newest first.
package struct DraftList: Hashable, Sendable {
    package var drafts: [DraftSummary]
    /// The value of `cursor` for the next page; `nil` at the end.
    package var next: String?

    package init(drafts: [DraftSummary], next: String?) { (self.drafts, self.next) = (drafts, next) }
}

extension DraftList: WireMessage {
    static let schema = DraftList(drafts: [], next: nil).schema("Drafts")

    mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) throws(Visitor.Failure) {
        try members.required("drafts", &drafts, ListForm(start: DraftSummary(), name: "DraftSummary"))
        try members.written("next", &next, TextForm().orNull)
    }

    package init(json: [UInt8]) throws(ConfigError) {
        self.init(drafts: [], next: nil)
        try read(json)
    }

    package var json: [UInt8] { body() }
}

/// The derived state of a draft: an event `draft` of the stream of its namespace, with `?drafts=1`.
package struct DraftMark: Hashable, Sendable {
    package var id = ""
    package var version = 1
    /// The derived state, such as `in review`.
    package var status = ""

    package init() {}

    package init(id: String, version: Int, status: String) {
        (self.id, self.version, self.status) = (id, version, status)
    }

    /// Whether the draft has been applied or closed.
    package var hasEnded: Bool { status == "applied" || status == "closed" }
}

extension DraftMark: WireMessage {
    mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) throws(Visitor.Failure) {
        try members.required("id", &id, TextForm())
        try members.required("version", &version, CountForm())
        try members.required("status", &status, TextForm())
    }

    package init(json: [UInt8]) throws(ConfigError) {
        self.init()
        try read(json)
    }

    static let eventName = "draft"

    /// The event in the stream, its empty line included. It has no `id`: what a client resumes from stays the same.
    package var encoded: [UInt8] { Array("event: \(Self.eventName)\ndata: ".utf8) + body() + Array("\n\n".utf8) }
}

/// A draft with everything in it.
package struct DraftMessage: Hashable, Sendable {
    /// A proposed change of an entry.
    package struct Operation: Hashable, Sendable {
        /// The key, as in `EntryKind`.
        package var key = ""
        /// The revision that the entry had when it was put into the draft; `nil` if there was none.
        package var base: UInt64?
        /// The current revision; `nil` if there is no entry.
        package var revision: UInt64?
        /// The current value; `nil` if there is none.
        package var current: EntryValue?
        /// The proposed value; `nil` to remove the entry.
        package var proposed: EntryValue?

        package init() {}

        /// Whether the entry has changed since it was put into the draft.
        package var isConflict: Bool { base != revision }
    }

    /// An event in the life of a draft.
    package struct Event: Hashable, Sendable {
        /// Such as `created` or `approved`.
        package var event = ""
        package var subject: String?
        package var token: String?
        package var time = Timestamp(milliseconds: 0)
        package var version = 1
        package var digest: String?
        package var comment: String?
        /// Whether it is a review of an earlier version, which an edit has ended.
        package var isSuperseded = false

        package init() {}
    }

    package var summary = DraftSummary()
    package var message: String?
    /// The subjects that have written or edited it, the author first.
    package var editors: [String] = []
    /// The digest of the content, which reviews name.
    package var digest = ""
    /// The reason, once it has been closed.
    package var reason: String?
    package var operations: [Operation] = []
    package var policy: ReviewPolicy?
    /// The violations of schemas and rules that applying it would make.
    package var problems: [ViolationMessage] = []
    /// The subjects whose approvals count now, and the number that is needed.
    package var approvers: [String] = []
    package var needed = 0
    /// The reviews of the current version.
    package var reviews: [Event] = []
    package var log: [Event] = []

    package init() {}
}

extension DraftMessage: WireMessage {
    static let schema = DraftMessage().schema("Draft")

    mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) throws(Visitor.Failure) {
        try summary.visit(&members)
        try members.optional("message", &message, TextForm())
        try members.written("editors", &editors, TextsForm())
        try members.required("digest", &digest, TextForm().described(by: .contentDigest))
        try members.optional("reason", &reason, TextForm())
        try members.required("operations", &operations, ListForm(start: Operation(), name: "DraftOperation"))
        try members.optional("policy", &policy, PolicyForm())
        try members.written("problems", &problems, ListForm(start: .empty))
        try members.written("approvers", &approvers, TextsForm())
        try members.written("needed", &needed, CountForm())
        try members.written("reviews", &reviews, ListForm(start: Event(), name: "DraftEvent"))
        try members.written("log", &log, ListForm(start: Event(), name: "DraftEvent"))
    }

    package init(json: [UInt8]) throws(ConfigError) {
        self.init()
        try read(json)
    }

    package var json: [UInt8] { body(reservingBytes: 2048) }
}

extension DraftSummary {
    /// Writes the members of the object that is open.
    package func writeMembers(to object: inout JSONWriter) { write(to: &object) }
}

extension DraftMessage {
    /// Writes the members of the object that is open.
    package func writeMembers(to object: inout JSONWriter) { write(to: &object) }
}

extension DraftMessage.Operation: WireMessage {
    mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) throws(Visitor.Failure) {
        try members.required("key", &key, TextForm())
        try members.written("base", &base, RevisionForm().orNull)
        try members.written("revision", &revision, RevisionForm().orNull)
        try members.written("current", &current, EntryValueForm().orNull.described(by: .anything))
        try members.written("proposed", &proposed, EntryValueForm().orNull.described(by: .anything))
    }
}

extension DraftMessage.Event: WireMessage {
    mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) throws(Visitor.Failure) {
        try members.required("event", &event, TextForm())
        try members.written("subject", &subject, TextForm().orNull)
        try members.written("token", &token, TextForm().orNull)
        try members.written("time", &time, StringForm.time)
        try members.written("version", &version, CountForm())
        try members.optional("digest", &digest, TextForm())
        try members.optional("comment", &comment, TextForm())
        try members.optional("superseded", &isSuperseded, FlagForm(), if: isSuperseded)
    }
}

/// The body of `PUT /v1/{namespace}/policy`, and the answer to `GET`.
package struct PolicyMessage: Hashable, Sendable {
    package var policy: ReviewPolicy

    package init(_ policy: ReviewPolicy) { self.policy = policy }

    static let schema = WireSchema.object(
        "Policy",
        [
            .optional("approvals", WireSchema(["type": "integer", "minimum": 0, "maximum": 5])),
            .optional("protected", WireSchema.schemaName.list()),
            .optional("direct", WireSchema(["enum": ["allow", "deny", "emergency"]])),
            .optional("window", .text.described("A duration, such as 15m.")),
        ],
        isClosed: true,
        "The rules by which changes are reviewed. Members that are left out have their defaults."
    )

    package init(json: [UInt8]) throws(ConfigError) {
        policy = try JSONScanner.whole(json) { (scanner) throws(ConfigError) in try PolicyForm().read(&scanner) }
    }

    package var json: [UInt8] { JSONWriter.object { writeMembers(to: &$0) } }

    /// Writes the members of the object that is open.
    package func writeMembers(to object: inout JSONWriter) {
        guard case .object(let members) = policy.stored else { return }
        for (name, value) in members { object.member(name) { $0.value(value) } }
    }
}

/// A policy; what is left out has its default.
struct PolicyForm: WireForm {
    var schema: WireSchema { PolicyMessage.schema }

    func read(_ scanner: inout JSONScanner) throws(ConfigError) -> ReviewPolicy {
        let start = scanner.location
        let value = try scanner.value()
        guard case .object(var members) = value, case .object(let defaults) = ReviewPolicy().stored else {
            throw ConfigError(.typeMismatch, "a policy must be an object", location: start)
        }
        let known = Set(defaults.map(\.key))
        if let name = members.first(where: { !known.contains($0.key) })?.key {
            let message =
                "unknown member '\(name.excerpt(ofScalars: 64))'; known: \(known.sorted().joined(separator: ", "))"
            throw ConfigError(.syntax, message, location: start)
        }
        // Approvals without a word on direct changes refuse those.
        if case .integer(1...)? = members["approvals"], members["direct"] == nil {
            members.setMember("direct", to: "deny")
        }
        for (name, value) in defaults where members[name] == nil { members.setMember(name, to: value) }
        do throws(ReviewPolicyError) {
            return try ReviewPolicy(members)
        } catch {
            throw ConfigError(.typeMismatch, error.message, location: start)
        }
    }

    func write(_ policy: ReviewPolicy, to json: inout JSONWriter) { json.value(policy.stored) }
}

/// One of the cases of an enumeration.
struct ChoiceForm<Value: RawRepresentable & CaseIterable>: WireForm where Value.RawValue == String {
    private var names: [String] { Value.allCases.map(\.rawValue) }
    var schema: WireSchema { WireSchema(["enum": .array(names.map(EntryValue.string))]) }

    func read(_ scanner: inout JSONScanner) throws(ConfigError) -> Value {
        let start = scanner.location
        if let value = Value(rawValue: try scanner.text()) { return value }
        throw ConfigError(.typeMismatch, "must be \(names.joined(separator: ", "))", location: start)
    }

    func write(_ value: Value, to json: inout JSONWriter) { json.string(value.rawValue) }
}

/// Strings.
struct TextsForm: WireForm {
    var schema: WireSchema { WireSchema.text.list() }

    func read(_ scanner: inout JSONScanner) throws(ConfigError) -> [String] {
        var texts: [String] = []
        try scanner.array { (scanner) throws(ConfigError) in texts.append(try scanner.text()) }
        return texts
    }

    func write(_ texts: [String], to json: inout JSONWriter) { json.strings(texts) }
}

struct FlagForm: WireForm {
    var schema: WireSchema { .flag }

    func read(_ scanner: inout JSONScanner) throws(ConfigError) -> Bool {
        let start = scanner.location
        guard case .boolean(let flag) = try scanner.value() else {
            throw ConfigError(.typeMismatch, "must be true or false", location: start)
        }
        return flag
    }

    func write(_ flag: Bool, to json: inout JSONWriter) { json.value(.boolean(flag)) }
}

extension WireSchema {
    static let contentDigest = WireSchema(["type": "string", "pattern": "^[0-9a-f]{64}$"])
    static let comment = WireSchema(["type": "string", "maxLength": 4096])
}

extension [String] {
    /// The first of two equal elements next to each other.
    fileprivate var adjacentDuplicate: String? { zip(self, dropFirst()).first { $0 == $1 }?.0 }
}
