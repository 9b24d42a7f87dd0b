// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigClient
package import ConfigModel
import ConfigWire

// Drafts.
extension ServerOperator {
    /// The newest drafts; older ones are listed by `livery draft list`.
    package func drafts() async throws(ConfigError) -> DraftInbox {
        let drafts = try await client.drafts().drafts
        return DraftInbox(drafts, own: Set(try await client.drafts(isMine: true).drafts.map(\.id)))
    }

    package func draft(_ id: String) async throws(ConfigError) -> ServerDraft {
        try await withBases(try await client.draft(id))
    }

    package func change(_ change: DraftChange) async throws(ConfigError) -> ServerDraft {
        try await withBases(try await message(after: change))
    }

    private func message(after change: DraftChange) async throws(ConfigError) -> DraftMessage {
        switch change {
        case .propose(let changes, let title, let message):
            var request = DraftRequest(changes)
            (request.title, request.message) = (title, message)
            return try await client.createDraft(request)
        case .save(let changes, let message, let origin):
            let present = try await client.draft(origin.id)
            let (rebase, edit) = present.requests(saving: changes, message: message, to: origin)
            // Each request names the version that it changes, so that the first one refuses the edit of another operator.
            var saved = present
            saved.summary.version = origin.version
            if let rebase { saved = try await client.rebaseDraft(origin.id, rebase, ifVersion: saved.summary.version) }
            if let edit { saved = try await client.editDraft(origin.id, edit, ifVersion: saved.summary.version) }
            return saved
        case .review(let id, let review): return try await client.reviewDraft(id, review)
        case .apply(let id, let digest): return try await client.applyDraft(id, digest: digest)
        case .schedule(let id, let version, let time):
            var request = DraftRequest()
            request.applyAt = .some(time)
            return try await client.editDraft(id, request, ifVersion: version)
        case .close(let id, let reason): return try await client.closeDraft(id, reason: reason)
        }
    }

    /// The draft with the values that its entries with conflicts had when they were put into it, as far as the history has them.
    private func withBases(_ message: DraftMessage) async throws(ConfigError) -> ServerDraft {
        var bases: [String: EntryValue] = [:]
        for operation in message.operations.filter(\.isConflict).prefix(Self.maximumSingleReads) {
            guard let base = operation.base else { continue }
            let page = try await client.historyPage(of: operation.key, before: base + 1, limit: 1)
            if let record = page.records.first, record.revision == base { bases[operation.key] = record.value }
        }
        return ServerDraft(message, bases: bases)
    }
}
