// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
package import ConfigWire
internal import HTTPTransport

// Drafts. A version that is named must be the current one; otherwise the calls throw `conflict`.
extension ServerClient {
    /// Returns one page of the drafts, newest first.
    ///
    /// - Parameters:
    ///   - state: the state or status of the drafts; any if `nil`.
    ///   - key: a key that the drafts change, as in `EntryKind`; any if `nil`.
    ///   - isMine: whether to return only drafts of the token's subject.
    ///   - cursor: the `next` of the page before; `nil` for the first one.
    ///   - limit: the maximum number of drafts.
    package func drafts(
        state: String? = nil,
        key: String? = nil,
        isMine: Bool = false,
        cursor: String? = nil,
        limit: Int? = nil
    ) async throws(ConfigError) -> DraftList {
        let query: KeyValuePairs<WireParameter, String?> = [
            .draftState: state, .draftKey: key, .mine: isMine ? "true" : nil, .draftCursor: cursor,
            .limit: limit.map { "\($0)" },
        ]
        return try await read(.drafts, query: query, hasMany: true, DraftList.init(json:))
    }

    package func draft(_ id: String) async throws(ConfigError) -> DraftMessage {
        try await read(.draft, named: try Self.checked(draft: id), hasMany: true, DraftMessage.init(json:))
    }

    package func createDraft(_ request: DraftRequest) async throws(ConfigError) -> DraftMessage {
        try decode(try await write(.createDraft, request.json), DraftMessage.init(json:))
    }

    package func editDraft(
        _ id: String,
        _ request: DraftRequest,
        ifVersion version: Int? = nil
    ) async throws(ConfigError) -> DraftMessage {
        try await change(.editDraft, id, request.json, ifVersion: version)
    }

    package func rebaseDraft(
        _ id: String,
        _ request: RebaseRequest,
        ifVersion version: Int? = nil
    ) async throws(ConfigError) -> DraftMessage {
        try await change(.rebaseDraft, id, request.json, ifVersion: version)
    }

    package func reviewDraft(_ id: String, _ request: ReviewRequest) async throws(ConfigError) -> DraftMessage {
        try await change(.reviewDraft, id, request.json)
    }

    /// - Parameter digest: the digest of the content to apply.
    package func applyDraft(_ id: String, digest: String) async throws(ConfigError) -> DraftMessage {
        try await change(.applyDraft, id, DraftApplyRequest(digest: digest).json)
    }

    package func closeDraft(_ id: String, reason: String? = nil) async throws(ConfigError) -> DraftMessage {
        try await change(.closeDraft, id, DraftCloseRequest(reason: reason).json)
    }

    /// Returns the namespace with its schemas, as it would be if the draft were applied now.
    package func preview(ofDraft id: String) async throws(ConfigError) -> ServerSnapshot {
        let name = try Self.checked(draft: id)
        let query: KeyValuePairs<WireParameter, String?> = [.schemas: "true"]
        let answer = try await read(.draftConfig, named: name, query: query, hasMany: true, ConfigAnswer.init(json:))
        guard case .snapshot(let snapshot, _) = answer else { throw notOurs("unexpected state of the namespace") }
        return snapshot
    }

    private func change(
        _ route: WireRoute,
        _ id: String,
        _ body: [UInt8],
        ifVersion version: Int? = nil
    ) async throws(ConfigError) -> DraftMessage {
        let condition = version.map { Condition.matches(tag: "\($0)") }
        let answer = try await write(route, named: try Self.checked(draft: id), body, if: condition)
        return try decode(answer, DraftMessage.init(json:))
    }

    private static func checked(draft id: String) throws(ConfigError) -> String {
        if DraftNamespace.isID(id) { return id }
        throw ConfigError(
            .invalidKey,
            "invalid draft id '\(id.excerpt(ofScalars: 64))'; `livery draft list` lists the ids"
        )
    }
}

extension ConfigError {
    /// Whether a server has refused a write because the policy of the namespace requires a review.
    package var isReviewRequired: Bool {
        (underlying as? ProblemDetails)?.type == ProblemDetails.type("review-required")
    }
}

// The policy of reviews.
extension ServerClient {
    /// Returns the policy with its entity tag, without quotes, as ``setPolicy(_:ifTag:)`` takes it.
    package func policy() async throws(ConfigError) -> (policy: ReviewPolicy, tag: String?) {
        let response = try await response(to: request(.policy, seen: latestSeen))
        try response.head.check(isOf: "application/json")
        let policy = try decode(response.body, PolicyMessage.init(json:)).policy
        return (policy, response.head.headers["ETag"].map { $0.filter { $0 != "\"" } })
    }

    /// Sets the policy.
    ///
    /// - Parameter tag: the tag of the policy that was read, which must be the current one; any if `nil`.
    package func setPolicy(_ policy: ReviewPolicy, ifTag tag: String?) async throws(ConfigError) -> ReviewPolicy {
        let condition = tag.map(Condition.matches(tag:))
        return try decode(
            try await write(.putPolicy, PolicyMessage(policy).json, if: condition),
            PolicyMessage.init(json:)
        )
        .policy
    }
}
