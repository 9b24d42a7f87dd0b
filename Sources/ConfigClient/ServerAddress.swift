// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
internal import ConfigWire
package import Essentials
internal import HTTPTransport

/// The address of a Livery server, and one of its namespaces, or the preview of a draft.
package struct ServerAddress: Hashable, Sendable {
    /// The address without a slash at its end, such as `http://127.0.0.1:3000`; its scheme and host in lower case,
    /// and without the port that the scheme has anyway.
    package var text: String { base.absoluteString }
    /// The namespace, such as `default`.
    package let namespace: String
    /// The namespace that the address itself names, as in `http://127.0.0.1:3000/v1/shop`.
    package let named: String?
    /// The draft whose preview the address names, as in `http://127.0.0.1:3000/v1/shop?draft=k3x9m2ab`; `nil` for the
    /// namespace itself.
    package let draft: String?
    private let base: URL

    /// The address of a server that was started without one.
    package static let standard = "http://127.0.0.1:3000"

    /// Reads the address of a server, or of one of its namespaces, such as `http://127.0.0.1:3000/v1/shop`.
    ///
    /// - Parameter namespace: the namespace; `nil` for the one that the address names, else `default`.
    /// - Throws: `invalidSource` for anything but a scheme of `http` or `https`, a host, and perhaps a port and a path;
    ///   a name or password in it would end up in the lists of processes. Also for a namespace that breaks its rule.
    package init(_ address: String, namespace: String? = nil) throws(ConfigError) {
        let shape = "invalid server address; expected a URL such as http://127.0.0.1:3000 or https://config.example.org"
        guard var components = URLComponents(string: address), let scheme = components.scheme?.lowercased(),
            let host = components.host?.lowercased(), ["http", "https"].contains(scheme), !host.isEmpty
        else { throw ConfigError(.invalidSource, shape) }
        guard components.user == nil, components.password == nil else {
            throw ConfigError(.invalidSource, "\(shape), without a token; pass the token separately")
        }
        draft = try Self.removeDraft(from: &components)
        guard components.query == nil, components.fragment == nil else { throw ConfigError(.invalidSource, shape) }
        if let port = components.port, !(1...65_535).contains(port) {
            throw ConfigError(.invalidSource, "invalid port \(port); expected a number from 1 to 65535")
        }
        components.scheme = scheme
        components.host = host
        // Credentials and caches are kept by the address.
        if components.port == Origin.usualPort(of: scheme) { components.port = nil }
        named = Self.removeNamespace(from: &components)
        guard let base = components.url else { throw ConfigError(.invalidSource, shape) }
        self.base = base
        self.namespace = namespace ?? named ?? NamespaceRule.standard
        for name in [named, namespace].compactMap(\.self) { try Self.check(namespace: name) }
    }

    /// A namespace below a server's root, or the preview of a draft.
    package init(root: URL, namespace: String, draft: String? = nil) throws(ConfigError) {
        guard root.user == nil, root.password == nil, root.query == nil, root.fragment == nil else {
            let message =
                """
                the server address must not contain a user, password, query or fragment; pass the token with a \
                TokenProvider
                """
            throw ConfigError(.invalidSource, message, source: Origin(root)?.name)
        }
        (base, named, self.namespace, self.draft) = (root, nil, namespace, draft)
        try Self.check(namespace: namespace, of: root.absoluteString)
        if let draft { try Self.check(draft: draft) }
    }

    private static func check(draft: String) throws(ConfigError) {
        if DraftNamespace.isID(draft) { return }
        throw ConfigError(.invalidSource, "invalid draft in the address; expected an id such as ?draft=k3x9m2ab")
    }

    /// Removes `?draft=ID` from the end of an address, and returns the id.
    package static func removeDraft(from components: inout URLComponents) throws(ConfigError) -> String? {
        guard let items = components.queryItems, items.count == 1, items[0].name == "draft" else { return nil }
        let draft = items[0].value ?? ""
        try check(draft: draft)
        components.query = nil
        return draft
    }

    private static func check(namespace: String, of source: String? = nil) throws(ConfigError) {
        guard let problem = NamespaceRule.problem(in: namespace) else { return }
        throw ConfigError(.invalidSource, "the namespace \(problem)", source: source)
    }

    /// Removes `/v1`, `/v1/shop` and `/v1/shop/config` from the end of a path, and returns the namespace that it names.
    package static func removeNamespace(from components: inout URLComponents) -> String? {
        var names = components.path.split(separator: "/", omittingEmptySubsequences: false)
        while names.last == "" { names.removeLast() }
        defer { components.path = names.joined(separator: "/") }
        let isWhole = names.last == "config" && names.dropLast(2).last == "v1"
        let tail = isWhole ? 2 : 1
        guard names.dropLast(tail).last == "v1" else {
            if names.last == "v1" { names.removeLast() }
            return nil
        }
        let named = String(names[names.count - tail])
        names.removeLast(tail + 1)
        return named
    }

    /// The namespace, as in `http://127.0.0.1:3000/v1/default`, with the draft.
    package var name: String {
        url("/v1/\(namespace)").absoluteString + (draft.map { "?draft=\($0)" } ?? "")
    }

    /// The address of a route of the namespace.
    ///
    /// - Parameters:
    ///   - name: the part of the path after the namespace, such as a key.
    ///   - query: the parameters that have values.
    func url(_ route: WireRoute, _ name: String? = nil, query: KeyValuePairs<WireParameter, String?> = [:]) -> URL {
        let items = query.compactMap { item, value in value.map { URLQueryItem(name: item.name, value: $0) } }
        let url = url(route.path([namespace, name].compactMap(\.self)))
        return items.isEmpty ? url : url.appending(queryItems: items)
    }

    private func url(_ path: String) -> URL { base.appending(path: String(path.dropFirst())) }

    package var host: String { Origin(base)?.name ?? text }
}
