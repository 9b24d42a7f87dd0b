// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
package import ConfigWire

extension ServerClient {
    /// Returns the policy and the open drafts, the oldest first.
    package func draftArchive() async throws(ConfigError) -> DraftArchive {
        var archive = DraftArchive()
        archive.policy = try await policy().policy
        var page = try await drafts(state: "open")
        var summaries = page.drafts
        while let next = page.next {
            page = try await drafts(state: "open", cursor: next)
            summaries += page.drafts
        }
        for summary in summaries.reversed() { archive.drafts.append(DraftRequest(of: try await draft(summary.id))) }
        return archive
    }

    /// Proposes the drafts of an archive, except open ones, then sets its policy.
    ///
    /// - Returns: a warning for each draft whose time has passed, which is proposed without a time.
    package func restore(_ archive: DraftArchive) async throws(ConfigError) -> [String] {
        let present = try await draftArchive()
        var warnings: [String] = []
        for draft in archive.drafts where !present.drafts.contains(draft) {
            do throws(ConfigError) {
                _ = try await createDraft(draft)
            } catch {
                guard error.code == .rejected, let time = draft.applyAt ?? nil else { throw error }
                var untimed = draft
                untimed.applyAt = nil
                _ = try await createDraft(untimed)
                warnings.append("Note: the draft '\(draft.title ?? "")' has no time now: \(time) was rejected.")
            }
        }
        if let policy = archive.policy, policy != present.policy { _ = try await setPolicy(policy, ifTag: nil) }
        return warnings
    }
}
