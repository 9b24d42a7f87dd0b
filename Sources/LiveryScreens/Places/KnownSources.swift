// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import Essentials
package import RemoteConfig

/// The sources to follow next: the namespaces of the server, and the recent sources.
struct KnownSources: Hashable, Sendable {
    /// A line of the list.
    struct Row: Hashable, Sendable {
        /// The name of the namespace, or the source.
        var title: String
        /// The source, as on the command line.
        var source: String
        /// `nil` while it is checked.
        var check: SourceCheck?
        var isCurrent = false
    }

    /// The source on the screen.
    var current = ""
    /// The sources before it, the latest first.
    var recent: [String] = []
    var checks: [ExactString: SourceCheck] = [:]

    /// The sources whose state the list shows.
    var all: [String] { [current] + recent.filter { !$0.hasSameScalars(as: current) } }

    /// The lines that match a text, the best first, and one for the text itself.
    func rows(matching text: String) -> [Row] {
        let (server, namespaces) = (Server(current), checks[ExactString(current)]?.namespaces ?? [])
        let listed = server.map { server in namespaces.map(server.row) } ?? []
        let others = all.filter { name in
            guard let server, let other = Server(name), other.url == server.url else { return true }
            return !namespaces.contains { $0.name == other.namespace }
        }
        let rows = listed + others.map { row(of: $0, isCurrent: $0.hasSameScalars(as: current)) }
        if text.isEmpty { return rows }
        let query = KeyQuery(text)
        let scored = rows.compactMap { row in query.score(ofText: row.title).map { (row: row, score: $0) } }
        let found = scored.sorted { $0.score > $1.score }.map(\.row)
        if rows.contains(where: { [$0.title, $0.source].contains { $0.hasSameScalars(as: text) } }) { return found }
        return found + [typed(text, server, namespaces)]
    }

    /// A source that is not in the list: a path, a URL, or a namespace of the server.
    private func typed(_ text: String, _ server: Server?, _ namespaces: [ServerInfo.Namespace]) -> Row {
        let isPlace = text.utf8.contains { ".:/".utf8.contains($0) }
        guard let server, !isPlace else { return row(of: text) }
        let check = checks[ExactString(current)].map { _ in SourceCheck(of: text, in: namespaces) }
        return Row(title: text, source: server.source(of: text), check: check)
    }

    private func row(of source: String, isCurrent: Bool = false) -> Row {
        Row(title: source, source: source, check: checks[ExactString(source)], isCurrent: isCurrent)
    }

    /// A server and a namespace by their address.
    private struct Server {
        let url: URL
        let namespace: String

        /// - Returns: `nil` for a source that is not a server, and for a name that is not a source.
        init?(_ source: String) {
            guard case .server(let url, let namespace, nil)? = try? SourceLocator(source) else { return nil }
            (self.url, self.namespace) = (url, namespace)
        }

        func source(of namespace: String) -> String { "\(url.absoluteString)/v1/\(namespace)" }

        func row(of other: ServerInfo.Namespace) -> Row {
            let (source, isCurrent) = (source(of: other.name), other.name == namespace)
            return Row(title: other.name, source: source, check: SourceCheck(other), isCurrent: isCurrent)
        }
    }
}

/// A source that the screens can follow.
package struct FollowedSource: Sendable {
    let service: RemoteConfigService
    let access: any SourceOperator

    /// - Parameter access: the access of the user, to read more than the values and to edit.
    package init(_ service: RemoteConfigService, access: any SourceOperator) {
        (self.service, self.access) = (service, access)
    }
}

/// The sources that the screens can switch to.
package struct SourceDirectory: Sendable {
    /// The source that is shown first, as on the command line.
    let current: String
    let recent: RecentSources
    /// Connects to a source, or throws an error whose description completes "cannot follow …:".
    let open: @Sendable (String) throws -> FollowedSource
    let check: @Sendable (String) async -> SourceCheck
    /// Reads a source once.
    let contents: OtherSources

    package init(
        current: String,
        recent: RecentSources,
        open: @escaping @Sendable (String) throws -> FollowedSource,
        check: @escaping @Sendable (String) async -> SourceCheck,
        contents: @escaping OtherSources
    ) {
        (self.current, self.recent, self.open) = (current, recent, open)
        (self.check, self.contents) = (check, contents)
    }
}
