import ConfigModel
import Files
import RemoteConfig

/// What a command works with: the server, and where its output goes.
struct OperatorSession {
    let client: ServerClient
    let style: OutputStyle

    /// Writes lines for people.
    func write(_ lines: [[Span]]) throws {
        try Output.standard.write(lines.map(style.line).joined())
    }

    /// Writes JSON for programs, indented for people.
    func writeJSON(_ members: (inout JSONWriter) -> Void) throws {
        var json = JSONWriter()
        json.object(members)
        try writeJSON(json.bytes)
    }

    /// Writes JSON that has no white space yet.
    func writeJSON(_ json: [UInt8]) throws {
        try Output.standard.write(style.json(PrettyJSON.laidOut(json)))
    }
}

extension OperatorSession {
    /// Reports what a write did: each change and the revision that it became.
    ///
    /// - Parameter diff: what changed; empty if the values were up to date.
    func report(_ diff: ConfigDiff, revision: UInt64) throws {
        if style.isJSON {
            return try writeJSON { object in
                object.member("namespace") { $0.string(client.address.namespace) }
                object.member("revision") { $0.number(revision) }
                object.member("changes") { diff.write(to: &$0) }
            }
        }
        let end = diff.isEmpty ? "Up to date at revision \(revision)." : "Revision \(revision)."
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
