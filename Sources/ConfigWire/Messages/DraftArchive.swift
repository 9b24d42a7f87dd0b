// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// The policy of a namespace and its open drafts, as members of an exact document.
package struct DraftArchive: Hashable, Sendable {
    package var policy: ReviewPolicy?
    package var drafts: [DraftRequest] = []

    package init() {}

    package var isEmpty: Bool { policy == nil && drafts.isEmpty }
}

extension DraftArchive: WireMessage {
    /// The members are those of `ExactForm.reviewMembers`.
    mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) throws(Visitor.Failure) {
        try members.optional("policy", &policy, PolicyForm())
        try members.optional("drafts", &drafts, ListForm(start: DraftRequest()), if: !drafts.isEmpty)
    }

    /// Reads them from a document; other members are ignored.
    package init(json: [UInt8]) throws(ConfigError) {
        self.init()
        try read(json)
    }

    /// Writes the members.
    package func writeMembers(to object: inout JSONWriter) { write(to: &object) }
}

extension DraftRequest {
    /// The content of a draft, to propose it again.
    package init(of draft: DraftMessage) {
        self.init()
        (title, message, applyAt) = (draft.summary.title, draft.message, draft.summary.applyAt)
        policy = draft.policy
        for operation in draft.operations {
            let (kind, name) = EntryKind.named(operation.key)
            switch (kind, operation.proposed) {
            case (.value, let value?): set[name] = value
            case (.value, nil): unset.insert(name)
            case (.schema, let schema): schemas[name] = .some(schema)
            case (.rule, let rule): rules[name] = .some(rule)
            }
        }
    }
}
