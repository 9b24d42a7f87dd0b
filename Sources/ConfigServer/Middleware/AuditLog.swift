internal import ConfigModel
internal import Logging

/// Says of each write who did what, from where, and which revision it became. Values are secret to it.
struct AuditLog: Sendable {
    let logger: Logger

    /// A write has become a revision.
    func wrote(_ action: String, _ commit: Commit, _ context: RouteContext) {
        let keys = commit.changes.keys.sorted()
        logger.notice(
            "audit",
            metadata: [
                "action": "\(action)",
                "author": "\(context.principal.name ?? "-")",
                "address": "\(context.client)",
                "namespace": "\(commit.namespace)",
                "revision": "\(commit.revision)",
                "count": "\(keys.count)",
                "keys": "\(keys.prefix(20).joined(separator: ","))",
            ]
        )
    }
}
