// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigClient
import ConfigModel
import ConfigWire
import Programs

struct PolicyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract: "Show and set the rules by which changes are reviewed.",
        discussion: """
            The policy of a namespace states how many approvals a draft needs, for which keys, whether changes without a draft \
            are allowed, and how late a scheduled draft may still be applied.
            """,
        subcommands: [PolicyShowCommand.self, PolicySetCommand.self]
    )

    static let shape = #"{"namespace": …, "approvals": …, "direct": …, "protected": [key, …], "window": …}"#
}

struct PolicyShowCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the policy of reviews.",
        usage: "livery policy show [<options>]",
        discussion: "As JSON: \(PolicyCommand.shape)."
    )

    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func run(in session: OperatorSession) async throws {
        try session.report(try await session.client.policy().policy)
    }
}

struct PolicySetCommand: WritingCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set the policy of reviews; requires the role admin.",
        usage: "livery policy set [<options>]",
        discussion: """
            What is not given stays as it is. A policy that asks for less than the current one needs a draft (--draft), which \
            needs the approvals of the current one. --approvals of more than 0 also denies direct changes, unless \
            --direct is given.

            EXAMPLES
              livery policy set --approvals 1
              livery policy set --approvals 2 --protect app.price 'legal.*'
              livery policy set --direct emergency
              livery policy set --approvals 0 --direct allow --draft

            As JSON: \(PolicyCommand.shape); with --draft: {\(DraftCommand.shape)}.
            """
    )

    @Option(help: ArgumentHelp("Set the number of approvals that a draft needs, 0 to 5.", valueName: "count"))
    var approvals: Int?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Require reviews of these keys only; app.* for a prefix, * for all.", valueName: "key")
    )
    var protect: [String] = []

    @Option(
        help: ArgumentHelp("Set how changes without a draft are treated: allow, deny or emergency.", valueName: "how")
    )
    var direct: ReviewPolicy.Direct?

    @Option(
        help: ArgumentHelp("Set how late a scheduled draft may be applied, such as 15m.", valueName: "duration"),
        transform: PolicySetCommand.duration
    )
    var window: Duration?

    @OptionGroup var proposal: DraftOption
    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    private static func duration(_ text: String) throws(ValidationError) -> Duration {
        if let duration = Duration(configValue: .string(text)) { return duration }
        throw ValidationError("Expected a duration such as 15m, 2h or 1d.")
    }

    func validate() throws {
        if approvals == nil, protect.isEmpty, direct == nil, window == nil {
            throw ValidationError("Expected --approvals, --protect, --direct or --window.")
        }
    }

    func run(in session: OperatorSession) async throws {
        let client = session.client
        var (policy, tag) = try await client.policy()
        if let approvals {
            policy.approvals = approvals
            if approvals > 0, policy.direct == .allow { policy.direct = .deny }
        }
        if !protect.isEmpty { policy.protected = protect == ["*"] ? [] : protect }
        if let direct { policy.direct = direct }
        if let window { policy.window = window }
        if let problem = policy.problem { throw ConfigError(.rejected, problem) }
        guard let target = proposal.draft else {
            return try session.report(try await client.setPolicy(policy, ifTag: tag))
        }
        var request = DraftRequest()
        request.policy = policy
        switch target {
        case .new:
            request.title = "Policy of reviews"
            try session.report(try await client.createDraft(request))
        case .existing(let id):
            let version = try await client.draft(id).summary.version
            try session.report(try await client.editDraft(id, request, ifVersion: version))
        }
    }
}

extension ReviewPolicy.Direct: ExpressibleByArgument {}

extension OperatorSession {
    fileprivate func report(_ policy: ReviewPolicy) throws {
        if style.isJSON { return try writeResult(PolicyMessage(policy).writeMembers) }
        let facts = [
            ("Approvals", "\(policy.approvals)"), ("Direct changes", policy.direct.words),
            ("Protected", policy.protectedText),
            ("Window", policy.windowText),
        ]
        try write(facts.map { [Span("\($0.0): ", .faint), Span($0.1)] })
    }
}

extension ReviewPolicy.Direct {
    fileprivate var words: String {
        switch self {
        case .allow: "allowed"
        case .deny: "denied"
        case .emergency: "denied, except to an admin in an emergency (--emergency REASON)"
        }
    }
}
