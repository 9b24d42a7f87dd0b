// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import Essentials
import RemoteConfig

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
        let listed =
            server == nil
            ? []
            : namespaces.map { namespace in
                Row(
                    title: namespace.name,
                    source: server?.source(of: namespace.name) ?? current,
                    check: SourceCheck(namespace),
                    isCurrent: namespace.name == server?.namespace
                )
            }
        let others = all.filter { name in
            guard let server, let other = Server(name), other.url == server.url else { return true }
            return !namespaces.contains { $0.name == other.namespace }
        }
        let rows =
            listed
            + others.map { name in
                Row(
                    title: name,
                    source: name,
                    check: checks[ExactString(name)],
                    isCurrent: name.hasSameScalars(as: current)
                )
            }
        if text.isEmpty { return rows }
        let query = KeyQuery(text)
        let found = rows.compactMap { row in query.score(ofText: row.title).map { (row, $0) } }
            .sorted { $0.1 > $1.1 }.map(\.0)
        if rows.contains(where: { [$0.title, $0.source].contains { $0.hasSameScalars(as: text) } }) { return found }
        return found + [typed(text, server, namespaces)]
    }

    /// A source that is not in the list: a path, a URL, or a namespace of the server.
    private func typed(_ text: String, _ server: Server?, _ namespaces: [ServerInfo.Namespace]) -> Row {
        let isPlace = text.utf8.contains { ".:/".utf8.contains($0) }
        guard let server, !isPlace else { return Row(title: text, source: text, check: checks[ExactString(text)]) }
        let check = checks[ExactString(current)].map { _ in SourceCheck(of: text, in: namespaces) }
        return Row(title: text, source: server.source(of: text), check: check)
    }

    /// A server and a namespace by their address.
    private struct Server {
        let url: URL
        let namespace: String

        /// - Returns: `nil` for a source that is no server, and for a name that is no source.
        init?(_ source: String) {
            guard case .server(let url, let namespace)? = try? SourceLocator(source) else { return nil }
            (self.url, self.namespace) = (url, namespace)
        }

        func source(of namespace: String) -> String { "\(url.absoluteString)/v1/\(namespace)" }
    }
}
