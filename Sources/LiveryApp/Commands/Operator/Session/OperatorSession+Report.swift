import ConfigModel
import RemoteConfig

extension OperatorSession {
    /// Says what a write did: each change and the revision that it became.
    ///
    /// - Parameter diff: what changed; nothing, if everything was so already.
    func report(_ diff: ConfigDiff, revision: UInt64) throws {
        if style.isJSON {
            return try writeJSON { object in
                object.member("namespace") { $0.string(client.address.namespace) }
                object.member("revision") { $0.number(revision) }
                object.member("changes") { diff.write(to: &$0) }
            }
        }
        let end = diff.isEmpty ? "Everything was so already, at revision \(revision)." : "Revision \(revision)."
        try write(excerpt(of: diff) + [[Span(end, .faint)]])
    }

    /// The lines of a difference, the first of them where there are too many to read.
    func excerpt(of diff: ConfigDiff, atMost limit: Int = 40) -> [[Span]] {
        guard diff.changes.count > limit else { return diff.lines(style: style) }
        var start = diff
        start.changes = Array(diff.changes.prefix(limit / 2))
        let rest = diff.changes.count - start.changes.count
        return start.lines(style: style) + [[Span("… and \(rest.grouped) more keys", .faint)]]
    }
}
