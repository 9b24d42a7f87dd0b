// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigClient
import ConfigModel
import ConfigWire
import Programs

/// A kind of review, and its words in the help.
protocol DraftVerdict {
    static var verdict: ReviewRequest.Verdict { get }
    static var abstract: String { get }
    static var text: String { get }
}

enum Approval: DraftVerdict {
    static let verdict = ReviewRequest.Verdict.approve
    static let abstract = "Approve a draft of another person."
    static let text = """
        Shows the changes and prompts for confirmation; if not confirmed, the exit code is 1. The approval is bound to the \
        content that was shown: if somebody has edited the draft by then, nothing is recorded and the exit code is 75. \
        Without a terminal, --digest is required.
        """
}

enum Rejection: DraftVerdict {
    static let verdict = ReviewRequest.Verdict.reject
    static let abstract = "Reject a draft, which blocks it until it is edited."
    static let text = "`livery draft withdraw` takes the rejection back."
}

enum Withdrawal: DraftVerdict {
    static let verdict = ReviewRequest.Verdict.withdraw
    static let abstract = "Withdraw your approval or rejection of a draft."
    static let text = ""
}

struct DraftReviewCommand<Kind: DraftVerdict>: OperatorCommand {
    private static var name: String { Kind.verdict.rawValue }

    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: name,
            abstract: Kind.abstract,
            usage: "livery draft \(name) <id> [<options>]",
            discussion: """
                \(Kind.text)

                EXAMPLE
                  livery draft \(name) k3m9pq2r -m 'As discussed'

                As JSON: {\(DraftCommand.shape)}.
                """
        )
    }

    @OptionGroup var draft: DraftArgument

    @Option(name: [.customShort("m"), .long], help: ArgumentHelp("Record this comment.", valueName: "text"))
    var comment: String?

    @OptionGroup var reading: DigestOption
    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let comment { try Program.checkIsText(comment, "The comment") }
    }

    func run(in session: OperatorSession) async throws {
        let digest: String
        if Kind.verdict == .approve {
            digest = try await session.readDigest(of: draft.id, given: reading.digest, "Approve")
        } else if let given = reading.digest {
            digest = given
        } else {
            digest = try await session.client.draft(draft.id).digest
        }
        let request = ReviewRequest(digest: digest, verdict: Kind.verdict, comment: comment)
        try session.report(try await session.client.reviewDraft(draft.id, request))
    }
}

struct DraftApplyCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Apply a draft as one revision.",
        usage: "livery draft apply <id> [<options>]",
        discussion: """
            Shows the changes and prompts for confirmation; if not confirmed, the exit code is 1. Without a terminal, --digest \
            is required. A draft in conflict, without its approvals, or with violations is not applied, and the error \
            names the reason. A draft that is applied again stays one revision.

            EXAMPLES
              livery draft apply k3m9pq2r
              livery draft apply k3m9pq2r \\
                --digest "$(livery draft diff k3m9pq2r --json | jq -r .digest)"

            As JSON: {\(DraftCommand.shape)}.
            """
    )

    @OptionGroup var draft: DraftArgument
    @OptionGroup var reading: DigestOption
    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func run(in session: OperatorSession) async throws {
        let digest = try await session.readDigest(of: draft.id, given: reading.digest, "Apply")
        try session.report(try await session.client.applyDraft(draft.id, digest: digest))
    }
}

struct DraftScheduleCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule",
        abstract: "Set the time at which a draft is applied.",
        usage: "livery draft schedule <id> <time> [<options>]\nlivery draft schedule <id> --never [<options>]",
        discussion: """
            TIME is an instant (2031-03-31T09:00:00+02:00) or a local time with a time zone \
            (2031-03-31T09:00:00[Europe/Berlin]). A local time that the clocks skip or repeat is rejected, with both \
            instants to choose from. The time is part of the content: a new one ends all approvals. A server applies the \
            draft at its time if it is approved by then. --never removes the time.

            EXAMPLES
              livery draft schedule k3m9pq2r '2031-03-31T09:00:00[Europe/Berlin]'
              livery draft schedule k3m9pq2r --never

            As JSON: {\(DraftCommand.shape)}.
            """
    )

    @OptionGroup var draft: DraftArgument

    @Argument(help: "The time.")
    var time: String?

    @Flag(help: "Remove the time: the draft is applied by `livery draft apply` only.")
    var never = false

    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if (time == nil) != never { throw ValidationError("Expected either TIME or --never.") }
        if let time { try Program.checkIsText(time, "The time") }
    }

    func run(in session: OperatorSession) async throws {
        var request = DraftRequest()
        request.applyAt = .some(time)
        try session.report(try await session.client.editDraft(draft.id, request))
    }
}

struct DraftCloseCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "close",
        abstract: "Close a draft without applying it.",
        usage: "livery draft close <id> [<options>]",
        discussion: """
            A closed draft stays readable, and cannot be opened again.

            EXAMPLE
              livery draft close k3m9pq2r -m 'Replaced by 7hd2kx9m'

            As JSON: {\(DraftCommand.shape)}.
            """
    )

    @OptionGroup var draft: DraftArgument

    @Option(name: [.customShort("m"), .long], help: ArgumentHelp("Record this reason.", valueName: "text"))
    var reason: String?

    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let reason { try Program.checkIsText(reason, "The reason") }
    }

    func run(in session: OperatorSession) async throws {
        try session.report(try await session.client.closeDraft(draft.id, reason: reason))
    }
}
