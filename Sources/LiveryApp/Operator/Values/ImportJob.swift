import ConfigModel
import RemoteConfig

/// The import of a document into a namespace.
struct ImportJob {
    let document: [String: EntryValue]
    /// Whether keys that the document does not have are removed.
    let replaces: Bool
    /// Whether it may become several revisions.
    let inBatches: Bool
    let message: String?

    /// What the import would change.
    func diff(from current: [String: EntryValue]) -> ConfigDiff {
        let kept = replaces ? [:] : current
        return ConfigDiff(from: current, to: kept.merging(document) { $1 })
    }

    /// The result of the import, with nothing written yet.
    func plan(from now: ServerSnapshot) -> ImportResult {
        let diff = diff(from: now.entries)
        return ImportResult(
            diff: diff,
            unchanged: document.count - diff.added - diff.changed,
            revision: now.cursor.revision
        )
    }

    /// How often the import starts again after a conflict with another writer.
    private static let attempts = 8

    /// Imports the document and shows the progress.
    func run(on client: ServerClient) async throws(ConfigError) -> ImportResult {
        var attempt = 1
        while true {
            let now = try await client.snapshot()
            let plan = plan(from: now)
            if plan.diff.isEmpty { return plan }
            do throws(ConfigError) {
                return try await publish(plan, client)
            } catch {
                guard error.code == .conflict, attempt < Self.attempts, !inBatches else { throw error }
                attempt += 1
            }
        }
    }

    private func publish(
        _ plan: ImportResult,
        _ client: ServerClient
    ) async throws(ConfigError) -> ImportResult {
        var result = plan
        let diff = plan.diff
        let batches = inBatches ? diff.batches() : [diff]
        let progress = ProgressLine(of: "keys", total: diff.changes.count)
        var done = 0
        progress.show(done)
        for batch in batches {
            let request = batch.request(expect: result.revision, message: message)
            do throws(ConfigError) {
                result.revision = try await client.publish(request).cursor.revision
            } catch {
                progress.interrupt()
                throw Self.explained(error, done: done, of: diff.changes.count)
            }
            result.revisions += 1
            done += batch.changes.count
            progress.show(done)
        }
        return result
    }

    private static func explained(_ error: ConfigError, done: Int, of total: Int) -> ConfigError {
        var error = error
        if done > 0 {
            error.message += "; \(done.grouped) of \(total.grouped) keys are imported, run it again for the rest"
        } else if error.code == .tooLarge {
            error.message += "; nothing was imported, --batches does it in several revisions"
        }
        return error
    }
}

extension ConfigDiff {
    /// The same changes in portions that any server accepts.
    func batches(ofKeys maximumKeys: Int = 500, bytes maximumBytes: Int = 256 * 1024) -> [ConfigDiff] {
        var batches: [ConfigDiff] = []
        var batch: [KeyChange] = []
        var bytes = 0
        for change in changes {
            // The key and the value with their quotes, colon and comma.
            let size = change.key.utf8.count + (change.new?.canonicalJSON.utf8.count ?? 0) + 4
            if batch.count == maximumKeys || bytes + size > maximumBytes, !batch.isEmpty {
                batches.append(ConfigDiff(batch))
                (batch, bytes) = ([], 0)
            }
            batch.append(change)
            bytes += size
        }
        return batch.isEmpty ? batches : batches + [ConfigDiff(batch)]
    }
}

/// The result of an import.
struct ImportResult: Hashable, Sendable {
    var diff: ConfigDiff
    /// How many keys of the document were up to date.
    var unchanged: Int
    /// Where the namespace is now.
    var revision: UInt64 = 0
    /// How many revisions the import became.
    var revisions = 0

    /// `2,490 new, 10 unchanged: revision 14.`
    var sentence: String {
        if diff.isEmpty { return "Up to date at revision \(revision)." }
        let same = unchanged > 0 ? ", \(unchanged.grouped) unchanged" : ""
        let end =
            switch revisions {
            case 0: "nothing written yet"
            case 1: "revision \(revision)"
            default: "\(revisions.grouped) revisions, the last is \(revision)"
            }
        return "\(diff.summary)\(same): \(end)."
    }

    func writeMembers(to json: inout JSONWriter) {
        json.member("revision") { $0.number(revision) }
        json.member("revisions") { $0.number(revisions) }
        json.member("new") { $0.number(diff.added) }
        json.member("changed") { $0.number(diff.changed) }
        json.member("removed") { $0.number(diff.removed) }
        json.member("unchanged") { $0.number(unchanged) }
    }
}
