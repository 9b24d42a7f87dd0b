// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigClient
import ConfigModel
import ConfigWire
import Programs

struct DraftCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "draft",
        abstract: "Propose changes, review them, and apply or schedule them.",
        discussion: """
            A draft proposes one revision of a namespace. It is created by `livery draft new`, or by --draft of any \
            command that writes: `livery set app.color pink --draft`. Another person reads it (`livery draft diff`), \
            looks at it in a running program (`livery draft preview`) and approves it. An approval is bound to the \
            digest of the content, so that each edit ends it. `livery policy` sets how many approvals are required.
            If a key has changed since it was put into a draft, the draft is in conflict and cannot be applied before \
            `livery draft rebase`.

            EXAMPLES
              livery set app.color '#0000FF' --draft -m 'Blue for summer'
              livery set app.title 'Summer' --draft k3m9pq2r
              livery draft diff k3m9pq2r
              livery draft approve k3m9pq2r
              livery draft apply k3m9pq2r
            """,
        subcommands: [
            DraftNewCommand.self, DraftListCommand.self, DraftShowCommand.self, DraftEditCommand.self,
            DraftDiffCommand.self, DraftRebaseCommand.self, DraftReviewCommand<Approval>.self,
            DraftReviewCommand<Rejection>.self, DraftReviewCommand<Withdrawal>.self, DraftApplyCommand.self,
            DraftScheduleCommand.self, DraftCloseCommand.self, DraftPreviewCommand.self,
        ]
    )

    /// The members of each answer about a draft.
    static let shape = """
        "namespace": …, "draft": …, "title": …, "message": …, "version": …, "digest": …, "state": …, "status": …, \
        "missing": [text, …], "apply_at": …, "revision": …
        """
}

/// The draft that a command is about.
struct DraftArgument: ParsableArguments {
    @Argument(help: "The id of the draft; `livery draft list` lists them.", completion: KeyCompletion.drafts())
    var id: String
}

/// The digest of the content that the sender has read.
struct DigestOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Skip the confirmation; the content must have this digest of `livery draft diff`.",
            valueName: "digest"
        )
    )
    var digest: String?
}

extension OperatorSession {
    /// Reports the state of a draft after a change.
    func report(_ draft: DraftMessage) throws {
        if style.isJSON { return try writeResult(draft.writeHead) }
        try reportSteps(of: draft)
    }
}
