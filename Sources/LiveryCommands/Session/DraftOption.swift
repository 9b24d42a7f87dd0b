// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigClient
import ConfigModel
import ConfigWire
import Programs
import TerminalUI

/// The draft that a change is put into.
enum DraftTarget: Hashable, Sendable, ExpressibleByArgument {
    case new
    case existing(id: String)

    /// The value of the option without an id. No id has three letters.
    fileprivate static let newName = "new"

    init?(argument: String) {
        if argument == Self.newName {
            self = .new
        } else if DraftNamespace.isID(argument) {
            self = .existing(id: argument)
        } else {
            return nil
        }
    }
}

/// `--draft [ID]`, of every command that writes.
struct DraftOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("Put the change into this draft instead, or into a new one without ID.", valueName: "id"),
        completion: KeyCompletion.drafts()
    )
    var draft: DraftTarget?

    private static let name = "--draft"

    /// The command line with a value for each `--draft`, since the parser has no options whose value may be missing. The next
    /// word is the value if it has the form of an id.
    static func joined(_ arguments: [String]) -> [String] {
        var (joined, rest) = ([String](), arguments[...])
        while let word = rest.popFirst() {
            if word == "--" { return joined + [word] + rest }
            guard word == name else {
                joined.append(word)
                continue
            }
            let id = rest.first.flatMap { DraftNamespace.isNewID($0) ? $0 : nil }
            if id != nil { rest.removeFirst() }
            joined.append("\(name)=\(id ?? DraftTarget.newName)")
        }
        return joined
    }
}

/// A command that changes a namespace, or puts the change into a draft.
protocol WritingCommand: OperatorCommand {
    var proposal: DraftOption { get }
    /// The reason for a change without a review.
    var emergency: String? { get }
}

extension WritingCommand {
    var emergency: String? { nil }

    /// The error with the way out, if the policy of the namespace has refused the change.
    func advised(_ error: any Error, arguments: [String]) -> any Error {
        guard let refused = error as? ConfigError, refused.isReviewRequired else { return error }
        var advice = "To propose it, use --draft in place of --emergency."
        if emergency == nil {
            let options = arguments.firstIndex(of: "--") ?? arguments.endIndex
            let words = ["livery"] + arguments[..<options] + ["--draft"] + arguments[options...]
            advice = "To propose it: \(words.map(\.shellWord).joined(separator: " ").sanitized())"
        }
        return ProgramFailure(refused.code.exit, "\(refused.sentence)\n\(advice)")
    }
}

/// A writing command with a message.
protocol PublishingCommand: WritingCommand {
    var publishing: PublishOptions { get }
}

extension PublishingCommand {
    var proposal: DraftOption { publishing.proposal }
    var emergency: String? { publishing.emergency }
}

/// The title, the message and the time of a new draft. An existing draft gets the message only.
struct DraftHead {
    var title: String?
    var message: String?
    var applyAt: String?
}

extension OperatorSession {
    /// Puts a change of the namespace, with what the draft has changed already, into a draft, and reports it.
    ///
    /// - Parameters:
    ///   - kind: the kind of the entries that are changed; `nil` for all.
    ///   - change: the change of what the namespace contains with the draft.
    /// - Returns: what it contained.
    @discardableResult
    func propose(
        in target: DraftTarget,
        _ kind: EntryKind?,
        _ head: DraftHead,
        dryRun: Bool = false,
        _ change: (NamespaceContents) throws(ConfigError) -> ConfigDiff
    ) async throws -> NamespaceContents {
        // After an edit by another person, the change is made again.
        let proposal = try await ServerClient.retrying(true) { () async throws(ConfigError) -> Proposal in
            try await self.proposal(in: target, head, dryRun: dryRun, change)
        }
        guard let draft = proposal.draft, !dryRun else {
            if !dryRun { warn("No changes; no draft was created.") }
            try report(proposal.diff, of: kind, revision: proposal.revision, dryRun: dryRun)
            return proposal.present
        }
        if !proposal.raced.isEmpty {
            let keys = proposal.raced.joined(separator: ", ")
            warn(
                "Warning: another writer has changed \(keys) in the meantime; see `livery draft diff \(draft.summary.id)`."
            )
        }
        if style.isJSON {
            try writeResult { object in
                draft.writeHead(to: &object)
                for kind in EntryKind.changed(with: kind) { proposal.diff.write(kind, to: &object) }
            }
        } else {
            try write(excerpt(of: proposal.diff))
            try reportSteps(of: draft)
        }
        return proposal.present
    }

    private struct Proposal {
        var present: NamespaceContents
        var diff: ConfigDiff
        var revision: UInt64
        /// `nil` if there was no change for a new one.
        var draft: DraftMessage?
        /// The keys that were written to between the reading and the creation of the draft.
        var raced: [String] = []
    }

    private func proposal(
        in target: DraftTarget,
        _ head: DraftHead,
        dryRun: Bool,
        _ change: (NamespaceContents) throws(ConfigError) -> ConfigDiff
    ) async throws(ConfigError) -> Proposal {
        let now = try await client.snapshot(withSchemas: true)
        let contents = NamespaceContents(of: now)
        var former: DraftMessage?
        if case .existing(let id) = target { former = try await client.draft(id) }
        let present = former.map(contents.with) ?? contents
        let diff = try change(present)
        var proposal = Proposal(present: present, diff: diff, revision: now.cursor.revision, draft: former)
        if dryRun {
            try await client.dryRun(message: head.message)
            return proposal
        }
        var request = diff.draftRequest(leaving: former, of: contents)
        request.message = head.message.map { $0 }
        if let former {
            if request == DraftRequest() { return proposal }
            let (id, version) = (former.summary.id, former.summary.version)
            proposal.draft = try await client.editDraft(id, request, ifVersion: version)
        } else {
            if diff.isEmpty { return proposal }
            request.applyAt = head.applyAt.map { $0 }
            request.title = head.title ?? diff.draftTitle(message: head.message)
            proposal.draft = try await client.createDraft(request)
        }
        let known = Set(former?.operations.map(\.key) ?? [])
        proposal.raced =
            proposal.draft?.operations.filter { operation in
                let (kind, name) = EntryKind.named(operation.key)
                let isOther =
                    (operation.base ?? 0) > now.cursor.revision
                    || (operation.base == nil) != (contents[kind][name] == nil)
                return isOther && !known.contains(operation.key)
            }.map(\.key) ?? []
        return proposal
    }

    /// The command that goes on with a draft, such as `livery draft diff ID`.
    func step(_ command: String, _ draft: DraftMessage) -> String {
        let namespace = client.address.namespace
        let place = namespace == NamespaceRule.standard ? "" : " -n \(namespace)"
        return "livery draft \(command) \(draft.summary.id)\(place)"
    }

    /// Writes the state of a draft, and the commands that go on with it.
    func reportSteps(of draft: DraftMessage) throws {
        try write([[Span(draft.summary.sentence)]] + draft.problems.map { [Span($0.line, .problem)] })
        guard draft.summary.state == "open" else { return }
        var steps = [("diff", "show the changes"), ("preview", "print the configuration with them")]
        switch draft.summary.status {
        case "conflicted": steps.append(("rebase", "resolve the conflicts"))
        case "approved": steps.append(("apply", "apply it"))
        case "in review" where draft.summary.missing.contains { $0.hasPrefix("rejected") }:
            steps.append(("withdraw", "withdraw the rejection, as its reviewer"))
        case "in review": steps.append(("approve", "approve it, as another person"))
        default: break
        }
        let lines = steps.map { (step($0.0, draft), $0.1) }
        let width = lines.map(\.0.count).max() ?? 0
        for (line, purpose) in lines {
            try write("  \(line)\(String(repeating: " ", count: width - line.count))  \(purpose)", .faint)
        }
    }
}

extension NamespaceContents {
    /// The contents with the changes of a draft.
    func with(_ draft: DraftMessage) -> NamespaceContents {
        draft.operations.reduce(into: self) { contents, operation in
            let (kind, name) = EntryKind.named(operation.key)
            contents[kind][name] = operation.proposed
            if kind == .value, operation.proposed == nil { contents.rules[name] = nil }
        }
    }
}

extension ConfigDiff {
    /// The request that puts the changes into a draft. What would remove an entry that only the draft has is taken out.
    ///
    /// - Parameters:
    ///   - draft: the draft; `nil` for a new one.
    ///   - head: the contents of the namespace without it.
    func draftRequest(leaving draft: DraftMessage?, of head: NamespaceContents) -> DraftRequest {
        let known = Set(draft?.operations.map(\.key) ?? [])
        let discarded = changes.filter { change in
            change.new == nil && head[change.kind][change.key] == nil && known.contains(change.entryKey)
        }
        let publish = ConfigDiff(changes.filter { !discarded.contains($0) }).request()
        var request = DraftRequest()
        (request.set, request.unset, request.schemas, request.rules) = (
            publish.set, publish.unset, publish.schemas, publish.rules
        )
        request.discard = discarded.map(\.entryKey)
        return request
    }
}

extension String {
    /// The text as a word of a shell's command line.
    fileprivate var shellWord: String {
        let isPlain = !isEmpty && utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_./:=,@%+".utf8.contains($0) }
        return isPlain ? self : "'\(replacing("'", with: #"'\''"#))'"
    }
}
