// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import ConfigModel
internal import ConfigStore
internal import ConfigWire
internal import Logging
internal import NIOCore
internal import NIOHTTP1

/// The drafts of a namespace, and its policy.
extension ServerServices {
    /// The number of drafts in a page: without a limit, and at most.
    fileprivate static let draftPageLimits = (standard: 100, maximum: 1000)

    private func desk(_ context: RouteContext) -> DraftDesk { hub.drafts(of: context.namespace) }

    func drafts(_ request: Request, _ context: RouteContext) async throws -> Reply {
        let (target, desk) = (request.target, desk(context))
        let state = try target.parameter(.draftState)
        if let state, !DraftSummary.states.contains(state) {
            let states = DraftSummary.states.joined(separator: ", ")
            throw Problem.invalidParameter("state", "'state' must be one of \(states)")
        }
        let key = try target.parameter(.draftKey)
        let isMine = try target.flag(.mine)
        let cursor = try target.parameter(.draftCursor)
        let limit = try target.parameter(.limit).map { (text) throws(Problem) in
            guard let limit = UInt64(decimal: text), (1...UInt64(Self.draftPageLimits.maximum)).contains(limit) else {
                throw .invalidParameter("limit", "'limit' must be an integer from 1 to \(Self.draftPageLimits.maximum)")
            }
            return Int(limit)
        }
        let subject = context.principal.actor.subject
        return try await drafting { () async throws(DraftError) -> Reply in
            var found: [DraftSummary] = []
            var next: String?
            for draft in try desk.all() {
                // A page begins after the draft that the one before it has ended with.
                if let cursor, draft.place >= cursor { continue }
                if let key, draft.operations[key] == nil { continue }
                if isMine == true, draft.author != subject { continue }
                let (present, standing) = try desk.current(draft, violations: await desk.violations(of: draft))
                let summary = DraftSummary(present, standing, epoch: desk.epoch)
                if let state, state != summary.state, state != summary.status { continue }
                if found.count == limit ?? Self.draftPageLimits.standard {
                    next = found.last.map(\.place)
                    break
                }
                found.append(summary)
            }
            return Reply.json(DraftList(drafts: found, next: next).json)
        }
    }

    func draft(_ context: RouteContext) async throws -> Reply {
        let desk = desk(context)
        return try await drafting { () async throws(DraftError) -> Reply in
            try await reply(to: try desk.draft(context.parameter("id")), desk, context)
        }
    }

    func createDraft(_ request: Request, _ context: RouteContext) async throws -> Reply {
        let body = try await workers.parsed(request.body, for: context.caller, DraftRequest.init(json:))
        let (desk, actor) = (desk(context), try proposer(of: body, context).actor)
        return try await drafting { () async throws(DraftError) -> Reply in
            let draft = try await desk.create(DraftEdit(body), by: actor)
            audit("create-draft", context, Array(draft.operations.keys), ["draft": "\(draft.id)"])
            var reply = try await reply(to: draft, desk, context)
            reply.status = .created
            reply.headers.add(name: "location", value: WireRoute.draft.path(context.namespace, draft.id))
            return reply
        }
    }

    func editDraft(_ request: Request, _ context: RouteContext) async throws -> Reply {
        let body = try await workers.parsed(request.body, for: context.caller, DraftRequest.init(json:))
        let (version, actor) = (try request.expectedVersion(), try proposer(of: body, context).actor)
        return try await change("edit-draft", context) { (desk, id) throws(DraftError) in
            try await desk.edit(id, DraftEdit(body), ifVersion: version, by: actor)
        }
    }

    func rebaseDraft(_ request: Request, _ context: RouteContext) async throws -> Reply {
        let body = try await workers.parsed(request.body, for: context.caller, RebaseRequest.init(json:))
        var choices: [String: DraftChoice] = body.operations.mapValues { .value($0) }
        for key in body.mine { choices[key] = .mine }
        for key in body.theirs { choices[key] = .theirs }
        let (version, actor) = (try request.expectedVersion(), try context.authorize(self).actor)
        return try await change("rebase-draft", context) { [choices] (desk, id) throws(DraftError) in
            try await desk.rebase(id, choices, ifVersion: version, by: actor)
        }
    }

    func reviewDraft(_ request: Request, _ context: RouteContext) async throws -> Reply {
        let body = try await workers.parsed(request.body, for: context.caller, ReviewRequest.init(json:))
        let actor = try context.authorize(self).actor
        let kind: DraftEvent.Kind =
            switch body.verdict {
            case .approve: .approved
            case .reject: .rejected
            case .withdraw: .withdrew
            }
        var reply = try await change("\(body.verdict.rawValue)-draft", context) { (desk, id) throws(DraftError) in
            try await desk.review(id, kind, digest: body.digest, comment: body.comment, by: actor)
        }
        reply.status = .created
        return reply
    }

    func applyDraft(_ request: Request, _ context: RouteContext) async throws -> Reply {
        let body = try await workers.parsed(request.body, for: context.caller, DraftApplyRequest.init(json:))
        let actor = try context.authorize(self).actor
        return try await change("apply-draft", context) { (desk, id) throws(DraftError) in
            try await desk.apply(id, digest: body.digest, by: actor)
        }
    }

    func closeDraft(_ request: Request, _ context: RouteContext) async throws -> Reply {
        let body = try await workers.parsed(request.body, for: context.caller, DraftCloseRequest.init(json:))
        let actor = try context.authorize(self).actor
        return try await change("close-draft", context) { (desk, id) throws(DraftError) in
            try await desk.close(id, reason: body.reason, by: actor)
        }
    }

    func policy(_ context: RouteContext) async throws -> Reply {
        let desk = desk(context)
        return try await drafting { () async throws(DraftError) -> Reply in
            let (policy, revision) = try desk.policy()
            return Reply.json(ByteBuffer(bytes: PolicyMessage(policy).json), tag: "\(revision ?? 0)")
        }
    }

    func putPolicy(_ request: Request, _ context: RouteContext) async throws -> Reply {
        let body = try await workers.parsed(request.body, for: context.caller, PolicyMessage.init(json:))
        let (revision, actor) = (try request.expectedVersion(), try context.authorize(self).actor)
        return try await drafting { () async throws(DraftError) -> Reply in
            let desk = desk(context)
            let expected = revision.map { $0 == 0 ? UInt64?.none : UInt64(exactly: $0) ?? .max }
            try await desk.set(body.policy, ifRevision: expected, by: actor)
            audit("put-policy", context, [], ["policy": "\(body.policy.stored.canonicalJSON)"])
            let (policy, revision) = try desk.policy()
            return Reply.json(ByteBuffer(bytes: PolicyMessage(policy).json), tag: "\(revision ?? 0)")
        }
    }
}

extension ServerServices {
    /// The sender of what is put into a draft: of a policy an administrator, as without a draft.
    private func proposer(of body: DraftRequest, _ context: RouteContext) throws(Problem) -> Principal {
        let principal = try context.authorize(self)
        guard body.policy != nil, let token = principal.token, token.role < .admin else { return principal }
        throw Problem(.forbidden, "forbidden", "a change of the policy requires the role admin", field: "policy")
    }

    /// Changes a draft, logs that, and answers with the draft.
    private func change(
        _ action: String,
        _ context: RouteContext,
        _ body: (DraftDesk, _ id: String) async throws(DraftError) -> Draft
    ) async throws -> Reply {
        let desk = desk(context)
        return try await drafting { () async throws(DraftError) -> Reply in
            let draft = try await body(desk, context.parameter("id"))
            audit(
                action,
                context,
                Array(draft.operations.keys),
                ["draft": "\(draft.id)", "version": "\(draft.version)"]
            )
            return try await reply(to: draft, desk, context)
        }
    }

    private func reply(to draft: Draft, _ desk: DraftDesk, _ context: RouteContext) async throws(DraftError) -> Reply {
        let message = try desk.message(draft, try await desk.violations(of: draft))
        // Reviews and the time change the status without a new version, so that no cache may answer by the tag.
        return Reply.json(message.json, headers: ["etag": "\"\(draft.version)\""])
    }

    /// Turns the errors of drafts into problems.
    private func drafting(_ body: () async throws(DraftError) -> Reply) async throws -> Reply {
        do throws(DraftError) {
            return try await body()
        } catch {
            if case .store(let failure) = error { throw failure }
            throw Problem(error)
        }
    }
}

extension ServerServices {
    /// The namespace as it would be if a draft were applied now.
    ///
    /// - Throws: ``Problem`` until the store has been loaded, and if the draft does not exist or has ended.
    func preview(_ draft: String, of namespace: String) throws(Problem) -> NamespaceState {
        do throws(DraftError) {
            return try hub.drafts(of: namespace).preview(draft)
        } catch {
            if case .ended(let how) = error {
                let wayOut = "remove '?draft=' from the source to follow the namespace"
                throw Problem(.gone, "draft-ended", "the preview of the draft has ended: \(how); \(wayOut)")
            }
            throw Problem(error)
        }
    }
}

extension Request {
    /// The number in the strong entity tag of `If-Match`; `nil` without one, and one that nothing has for other tags.
    fileprivate func expectedVersion() throws(Problem) -> Int? {
        if try conditions.noneMatchTags() != nil {
            throw .malformed("send 'If-Match' with the entity tag of the answer instead", field: "If-None-Match")
        }
        guard let tags = try conditions.matchTags(), tags != .any else { return nil }
        let values = tags.strongValues
        guard values.count <= 1 else { throw .malformed("'If-Match' must be one entity tag", field: "If-Match") }
        return values.first.flatMap { Int($0) } ?? -1
    }
}

extension Principal {
    /// The sender, as drafts know it.
    var actor: DraftActor {
        DraftActor(subject: token?.subject, token: token?.name, hash: token?.hash.hexDigits)
    }
}

extension DraftEdit {
    fileprivate init(_ request: DraftRequest) {
        self.init()
        (title, message, applyAt) = (request.title, request.message, request.applyAt)
        (operations, policy, discarded) = (request.operations, request.policy, Set(request.discard))
    }
}

// MARK: Answers

extension Draft {
    /// The place in the list of drafts.
    fileprivate var place: String { "\(createdAt) \(id)" }
}

extension DraftSummary {
    fileprivate var place: String { "\(createdAt) \(id)" }

    init(_ draft: Draft, _ standing: DraftStanding, epoch: Epoch) {
        self.init()
        (id, title, author, version) = (draft.id, draft.title, draft.author, draft.version)
        (applyAt, instant) = (draft.applyAt, draft.instant)
        (createdAt, updatedAt) = (draft.createdAt, draft.events.last?.time ?? draft.createdAt)
        keys = draft.operations.keys.sorted()
        status = standing.status.rawValue
        switch draft.state(in: epoch) {
        case .open: state = "open"
        case .closed: state = "closed"
        case .applied(let revision): (state, self.revision) = ("applied", revision)
        }
        if state == "open" { missing = standing.missing }
    }
}

extension DraftDesk {
    /// The draft with everything in it.
    fileprivate func message(_ draft: Draft, _ violations: [ViolationMessage]) throws(DraftError) -> DraftMessage {
        let (draft, standing) = try current(draft, violations: violations)
        var message = DraftMessage()
        message.summary = DraftSummary(draft, standing, epoch: epoch)
        (message.message, message.editors) = (draft.message, draft.editors.compactMap(\.self))
        message.digest = draft.digest(in: namespace)
        if case .closed(let reason) = draft.state(in: epoch) { message.reason = reason }
        message.operations = try operations(of: draft)
        message.policy = draft.policy.flatMap(\.value).flatMap(ReviewPolicy.init(stored:))
        message.problems = violations
        (message.approvers, message.needed) = (standing.approvers, standing.needed)
        message.log = draft.events.map { DraftMessage.Event($0, of: draft) }
        message.reviews = draft.currentReviews.map { DraftMessage.Event($0, of: draft) }
        return message
    }
}

extension DraftMessage.Event {
    fileprivate init(_ event: DraftEvent, of draft: Draft) {
        self.init()
        (self.event, subject, token) = (event.kind.rawValue, event.actor.subject, event.actor.token)
        (time, version, digest, comment) = (event.time, event.version, event.digest, event.comment)
        isSuperseded = event.kind.isReview && event.version != draft.version
    }
}

extension Problem {
    /// The problem of a draft, with the way out.
    fileprivate init(_ error: DraftError) {
        switch error {
        case .unknown(let id):
            self.init(.notFound, "unknown-draft", "there is no draft '\(id.excerpt(ofScalars: 64))' in the namespace")
        case .ended(let how):
            self.init(.conflict, "draft-ended", "the draft is not open: \(how); propose the change in a new draft")
        case .stale(let version):
            let detail = "the draft has been edited and is at version \(version); fetch it and retry"
            self.init(.preconditionFailed, "precondition-failed", detail, field: "If-Match")
        case .stalePolicy(let revision):
            let detail = "the policy has changed and has the tag \"\(revision ?? 0)\"; fetch it and retry"
            self.init(.preconditionFailed, "precondition-failed", detail, field: "If-Match")
        case .otherDigest(let digest):
            let detail = "the draft has other content now, with the digest \(digest); read it, then name this digest"
            self.init(.conflict, "other-digest", detail, field: "digest")
        case .ownDraft:
            let detail = "you have written or edited this draft; another person must approve it"
            self.init(.forbidden, "own-draft", detail)
        case .approvalsMissing(let standing):
            let detail = "the draft cannot be applied yet: \(standing.missing.joined(separator: "; "))"
            self.init(.forbidden, "approvals-missing", detail)
        case .conflict(let conflicts):
            let keys = conflicts.map { conflict in
                let (base, current) = (conflict.base.map(String.init), conflict.revision.map(String.init))
                return "\(conflict.key) (revision \(base ?? "none") in the draft, \(current ?? "none") now)"
            }
            let detail =
                "entries have changed since they were put into the draft: "
                + keys.prefix(10).joined(separator: ", ") + "; rebase the draft"
            self = Problem(.conflict, "draft-conflict", detail, key: conflicts.first?.key)
                .listing(conflicts)
        case .undecided(let keys):
            let detail =
                "choose 'mine', 'theirs' or a new value for each conflict: \(keys.prefix(10).joined(separator: ", "))"
            self.init(.unprocessableEntity, "undecided-conflict", detail, key: keys.first)
        case .notInDraft(let key):
            self.init(.unprocessableEntity, "not-in-draft", "the draft does not change this key", key: key)
        case .invalid(let violations): self = .invalid(violations)
        case .schedule(let error): self.init(.unprocessableEntity, "invalid-time", error.message, field: "apply_at")
        case .scheduled(let time):
            let detail =
                "the draft is scheduled for \(time) and is applied then; reschedule it to apply it at another time"
            self.init(.conflict, "draft-scheduled", detail)
        case .missed:
            let detail = "the time of the draft has passed, and no server could apply it; reschedule it"
            self.init(.conflict, "draft-missed", detail)
        case .limit(let detail): self.init(.unprocessableEntity, "draft-limit", detail)
        case .policy(let detail): self.init(.unprocessableEntity, "invalid-policy", detail)
        case .policyRelaxed:
            let detail =
                "the new policy requires less than the current one, so it needs a review; propose it as a "
                + "draft (POST /v1/{ns}/drafts, or --draft)"
            self.init(.forbidden, "review-required", detail)
        case .store(let error): self = Problem(error)
        }
    }

    /// A write that the policy of the namespace refuses.
    static func reviewRequired(_ keys: [String]) -> Problem {
        let shown = keys.prefix(10).joined(separator: ", ") + (keys.count > 10 ? ", …" : "")
        let detail =
            "the policy of the namespace requires a review of \(shown); propose the change as a draft "
            + "(POST /v1/{ns}/drafts, or --draft)"
        return Problem(.forbidden, "review-required", detail, key: keys.first)
    }
}

extension Problem {
    /// Checks that the sender may change what needs a review, with a reason that can be shown.
    static func requireEmergency(_ principal: Principal, _ reason: String) throws(Problem) {
        let field = WireParameter.emergency.name
        guard principal.token.map({ $0.role >= .admin }) ?? true else {
            throw Problem(.forbidden, "forbidden", "an emergency change requires the role admin", field: field)
        }
        let trimmed = reason.trimmed
        guard (1...1024).contains(trimmed.unicodeScalars.count) else {
            throw Problem(.badRequest, "invalid-parameter", "state a reason of at most 1024 characters", field: field)
        }
    }
}
