package import ConfigModel
internal import Foundation

/// Where a Livery server is, and which of its namespaces is meant.
package struct ServerAddress: Hashable, Sendable {
    /// The address without a slash at its end, such as `http://127.0.0.1:3000`; its scheme and host in lower case.
    package let text: String
    /// The namespace, which keeps the rule of ``ConfigNamespace``.
    package let namespace: String
    private let base: URL

    /// The address of a server that was started without being told one.
    package static let standard = "http://127.0.0.1:3000"

    /// Reads an address.
    ///
    /// - Throws: `invalidSource` for anything but a scheme of `http` or `https`, a host, and perhaps a port and a path;
    ///   a name or password in it would end up in the lists of processes. Also for a namespace that breaks its rule.
    package init(_ address: String, namespace: String = ConfigNamespace.standard) throws(ConfigError) {
        if let problem = ConfigNamespace.problem(in: namespace) {
            throw ConfigError(.invalidSource, "the namespace \(problem)")
        }
        let shape = "a server's address is like http://127.0.0.1:3000 or https://config.example.org"
        guard var components = URLComponents(string: address), let scheme = components.scheme?.lowercased(),
            let host = components.host?.lowercased(), ["http", "https"].contains(scheme), !host.isEmpty
        else { throw ConfigError(.invalidSource, shape) }
        guard components.user == nil, components.password == nil else {
            throw ConfigError(.invalidSource, "\(shape); give the token by `livery login` and not in the address")
        }
        guard components.query == nil, components.fragment == nil else { throw ConfigError(.invalidSource, shape) }
        components.scheme = scheme
        components.host = host
        while components.path.hasSuffix("/") { components.path.removeLast() }
        guard let base = components.url else { throw ConfigError(.invalidSource, shape) }
        self.base = base
        self.namespace = namespace
        text = base.absoluteString
    }

    /// `GET /v1`.
    var info: URL { base.appending(path: "v1") }

    /// An address below `/v1/{namespace}`.
    ///
    /// - Parameters:
    ///   - path: what follows, such as `entries/app.title`; of characters that need no escapes.
    ///   - query: parameters; those without a value are left out.
    func url(_ path: String, query: KeyValuePairs<String, String?> = [:]) -> URL {
        let items = query.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
        let url = base.appending(path: "v1/\(namespace)/\(path)")
        return items.isEmpty ? url : url.appending(queryItems: items)
    }

    /// `host:port`, for messages.
    package var host: String { Origin(base)?.name ?? text }
}
