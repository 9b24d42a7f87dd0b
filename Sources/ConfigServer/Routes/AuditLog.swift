internal import ConfigModel
internal import ConfigStore
internal import Logging

/// Logs each write: who did what, from which address, and the revision it made. It never sees values.
struct AuditLog: Sendable {
    let logger: Logger

    /// Makes a write and logs it, also if its outcome is unknown.
    func publish(
        _ publish: Publish,
        _ action: String,
        _ context: RouteContext,
        to hub: ConfigHub
    ) async throws(StoreError) -> PublishOutcome {
        do throws(StoreError) {
            let outcome = try await hub.publish(publish)
            if case .committed(let commit) = outcome {
                let revision: Logger.Metadata = ["revision": "\(commit.revision)"]
                write(action, context, Array(commit.changes.keys), revision)
            }
            return outcome
        } catch {
            if error.code == .uncertain { write(action, context, publish.keys, ["outcome": "uncertain"]) }
            throw error
        }
    }

    private func write(_ action: String, _ context: RouteContext, _ keys: [String], _ result: Logger.Metadata) {
        let metadata: Logger.Metadata = [
            "action": "\(action)",
            "author": "\(context.principal.name ?? "-")",
            "address": "\(context.client)",
            "namespace": "\(context.namespace)",
            "count": "\(keys.count)",
            "keys": "\(keys.sorted().prefix(20).joined(separator: ","))",
        ]
        logger.notice("audit", metadata: metadata.merging(result) { $1 })
    }
}

extension Publish {
    /// The keys that it changes; none for a rollback.
    fileprivate var keys: [String] {
        if case .edit(let edits) = change { Array(edits.keys) } else { [] }
    }
}
