// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

extension Draft {
    /// The entry that edits change.
    package var content: EntryValue {
        var members = EntryObject()
        members.setMember("epoch", to: .string(epoch.description))
        members.setMember("title", to: .string(title))
        members.setMember("message", to: message.map(EntryValue.string))
        members.setMember("apply_at", to: applyAt.map(EntryValue.string))
        members.setMember("instant", to: instant.map { .string($0.description) })
        members.setMember("version", to: .integer(version))
        members.setMember("operations", to: .object(EntryObject(operations.mapValues(\.stored))))
        members.setMember("policy", to: policy?.stored)
        return .object(members)
    }

    /// The entry that reviews and the end change.
    package var stateEntry: EntryValue {
        var members = EntryObject()
        switch state {
        case .open: members.setMember("state", to: "open")
        case .applied(let revision):
            members.setMember("state", to: "applied")
            members.setMember("revision", to: revision.map(EntryValue.init(revision:)))
            members.setMember("approvers", to: .array(approvers.map(EntryValue.string)))
        case .closed(let reason):
            members.setMember("state", to: "closed")
            members.setMember("reason", to: reason.map(EntryValue.string))
        }
        members.setMember("events", to: .array(events.map(\.stored)))
        return .object(members)
    }

    /// Reads a draft from its entries.
    ///
    /// - Returns: `nil` if no server can have written them.
    package init?(id: String, content: EntryValue, state: EntryValue) {
        guard let epoch = content["epoch"]?.text.flatMap(Epoch.init), let version = content["version"]?.count,
            let operations = content["operations"]?.members, let events = state["events"]?.elements
        else { return nil }
        self.init(id: id, epoch: epoch)
        (title, message) = (content["title"]?.text ?? "", content["message"]?.text)
        (applyAt, self.version) = (content["apply_at"]?.text, version)
        instant = content["instant"]?.text.flatMap { Timestamp($0) }
        for (key, operation) in operations { self.operations[key] = Operation(stored: operation) }
        policy = content["policy"].map { Operation(stored: $0) }
        self.events = events.compactMap(DraftEvent.init)
        approvers = state["approvers"]?.elements?.compactMap(\.text) ?? []
        switch state["state"]?.text {
        case "open": self.state = .open
        case "applied": self.state = .applied(revision: state["revision"]?.revision)
        case "closed": self.state = .closed(reason: state["reason"]?.text)
        default: return nil
        }
    }
}

extension Draft.Operation {
    fileprivate var stored: EntryValue {
        var members = EntryObject()
        members.setMember("value", to: value)
        members.setMember("base", to: base.map(EntryValue.init(revision:)))
        return .object(members)
    }

    fileprivate init(stored: EntryValue) { self.init(stored["value"], base: stored["base"]?.revision) }
}

extension DraftEvent {
    fileprivate var stored: EntryValue {
        var members = EntryObject()
        members.setMember("event", to: .string(kind.rawValue))
        members.setMember("subject", to: actor.subject.map(EntryValue.string))
        members.setMember("token", to: actor.token.map(EntryValue.string))
        members.setMember("hash", to: actor.hash.map(EntryValue.string))
        members.setMember("time", to: .string(time.description))
        members.setMember("version", to: .integer(version))
        members.setMember("digest", to: digest.map(EntryValue.string))
        members.setMember("comment", to: comment.map(EntryValue.string))
        return .object(members)
    }

    fileprivate init?(stored: EntryValue) {
        guard let kind = stored["event"]?.text.flatMap(Kind.init),
            let time = stored["time"]?.text.flatMap({ Timestamp($0) }),
            let version = stored["version"]?.count
        else { return nil }
        let actor = DraftActor(
            subject: stored["subject"]?.text,
            token: stored["token"]?.text,
            hash: stored["hash"]?.text
        )
        self.init(
            kind,
            by: actor,
            at: time,
            version: version,
            digest: stored["digest"]?.text,
            comment: stored["comment"]?.text
        )
    }
}

extension EntryValue {
    fileprivate subscript(name: String) -> EntryValue? { members?[name] }
    fileprivate var members: EntryObject? { if case .object(let members) = self { members } else { nil } }
    fileprivate var elements: [EntryValue]? { if case .array(let elements) = self { elements } else { nil } }
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
    fileprivate var count: Int? { if case .integer(let number) = self { number } else { nil } }
    /// The revision that `init(revision:)` was given.
    fileprivate var revision: UInt64? {
        switch self {
        case .integer(let number): UInt64(exactly: number)
        case .string(let text): UInt64(text)
        default: nil
        }
    }
}
