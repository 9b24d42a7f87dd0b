// SPDX-License-Identifier: Apache-2.0

import ConfigClient
import ConfigModel
import ConfigWire
import Files
import Programs
import TerminalUI

extension OperatorSession {
    /// Reads the content of a draft, with the values that conflicting changes were made from.
    func diff(of draft: DraftMessage) async throws(ConfigError) -> DraftDiff {
        var changes: [DraftChange] = []
        for operation in draft.operations {
            var change = DraftChange(key: operation.key, proposed: operation.proposed)
            change.current = operation.revision.map { .init(revision: $0, value: operation.current) }
            change.base = change.current
            change.isMoved = operation.isConflict
            if change.isMoved {
                change.base = nil
                if let base = operation.base {
                    let record = try await client.historyPage(of: operation.key, before: base + 1, limit: 1).records
                        .first
                    change.base = .init(revision: base, value: record?.revision == base ? record?.value : nil)
                }
            }
            changes.append(change)
        }
        if let policy = draft.policy {
            let current = try await client.policy().policy
            let entry = DraftChange.Entry(revision: nil, value: current.stored)
            changes.append(DraftChange(key: "$policy", base: entry, current: entry, proposed: policy.stored))
        }
        return DraftDiff(draft: draft, changes: changes)
    }

    /// The digest of a draft that the sender has read: as given, or of the draft that is shown now and confirmed.
    @MainActor
    func readDigest(of id: String, given digest: String?, _ action: String) async throws -> String {
        if let digest { return digest }
        try Confirmation.requireTerminal(or: "--digest with the digest of `livery draft diff`")
        let draft = try await client.draft(id)
        var style = style
        // The question is on a terminal in any case.
        if !style.isTerminal { style.repertoire = .locale() }
        for line in try await diff(of: draft).lines(style) { try Output.error.write(line) }
        guard Confirmation.isGiven("\(action) draft \(id), version \(draft.summary.version)?") else {
            throw ProgramFailure(.negative, "Not confirmed; nothing was written.")
        }
        return draft.digest
    }
}
