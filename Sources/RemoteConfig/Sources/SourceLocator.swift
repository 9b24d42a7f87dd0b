// SPDX-License-Identifier: Apache-2.0

public import ConfigClient
public import ConfigModel
public import Essentials
internal import Files
internal import HTTPTransport

/// The kind of source that one string names.
///
/// | text | kind |
/// |---|---|
/// | `config.json`, `/etc/livery.json`, `file:///etc/livery.json` | a file |
/// | `https://example.com/config.json` | a document |
/// | `http://127.0.0.1:3000`, `https://example.com/` | a Livery server, namespace `default` |
/// | `http://127.0.0.1:3000/v1/shop`, `…/v1/shop/config` | a Livery server, namespace `shop` |
/// | `http://127.0.0.1:3000/v1/shop?draft=k3x9m2ab` | the preview of a draft of this namespace |
public enum SourceLocator: Hashable, Sendable {
    /// A file at a path, which may be relative to the current folder.
    case file(path: String)
    /// A JSON document at a web address.
    case document(URL)
    /// A Livery server: the address of its root, without a slash at the end, a namespace, and the draft that is previewed.
    case server(URL, namespace: String, draft: String? = nil)

    /// Parses input of the user.
    ///
    /// - Throws: `invalidSource` with what to change.
    public init(_ text: String) throws(ConfigError) {
        guard !text.isEmpty else {
            throw ConfigError(.invalidSource, "the source is empty; pass a file or a URL")
        }
        guard let scheme = Self.scheme(of: text) else {
            self = .file(path: text)
            return
        }
        switch scheme {
        case "file": self = .file(path: try Self.path(of: text))
        case "http", "https": self = try Self.remote(text)
        default:
            let message = "unsupported scheme \(scheme):; pass a file, or an http: or https: URL"
            throw ConfigError(.invalidSource, message)
        }
    }

    /// The scheme in lower case. A path such as `a:b/c.json` has none: what follows must be `//`, except after the
    /// schemes that are known.
    private static func scheme(of text: String) -> String? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = text.utf8[..<colon]
        let isScheme =
            name.first?.isLetter == true
            && name.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
        guard isScheme else { return nil }
        let scheme = String(Substring(name)).lowercased()
        let isKnown = ["file", "http", "https"].contains(scheme)
        return isKnown || text.utf8[colon...].starts(with: "://".utf8) ? scheme : nil
    }

    private static func path(of text: String) throws(ConfigError) -> String {
        guard let url = URL(string: text), url.isFileURL, ["", "localhost"].contains(url.host() ?? ""),
            case let path = pathOfPercentEncoded(url.path(percentEncoded: true)), path.isAbsolutePath
        else {
            throw ConfigError(.invalidSource, "invalid file URL; expected file:///folder/config.json")
        }
        return path
    }

    /// Decodes the path of an address, whose bytes need not be UTF-8.
    private static func pathOfPercentEncoded(_ text: String) -> String {
        var (bytes, rest) = ([UInt8](), text.utf8[...])
        while let byte = rest.popFirst() {
            let digits = byte == UInt8(ascii: "%") ? UInt8(String(Substring(rest.prefix(2))), radix: 16) : nil
            if digits != nil { rest = rest.dropFirst(2) }
            bytes.append(digits ?? byte)
        }
        return String(pathBytes: bytes)
    }

    private static func remote(_ text: String) throws(ConfigError) -> SourceLocator {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw ConfigError(.invalidSource, "the URL contains a space or a line break; encode a space as %20")
        }
        guard let parts = URLComponents(string: text), let url = parts.url, Origin(url) != nil else {
            throw ConfigError(
                .invalidSource,
                "the URL has no host; expected a URL such as https://example.com/config.json"
            )
        }
        guard parts.user == nil, parts.password == nil else {
            let message = "the URL contains a user or a password; remove them, and pass the token separately"
            throw ConfigError(.invalidSource, message)
        }
        if let port = parts.port, !(1...65_535).contains(port) {
            throw ConfigError(.invalidSource, "invalid port \(port); expected a number from 1 to 65535")
        }
        return try server(parts) ?? .document(url)
    }

    /// The server that an address names; `nil` if it names a document.
    private static func server(_ parts: URLComponents) throws(ConfigError) -> SourceLocator? {
        var root = parts
        root.fragment = nil
        let named = ServerAddress.removeNamespace(from: &root)
        guard root.path.isEmpty else { return nil }
        let draft = try ServerAddress.removeDraft(from: &root)
        guard root.query == nil, let url = root.url else { return nil }
        let namespace = named ?? NamespaceRule.standard
        if let problem = NamespaceRule.problem(in: namespace) {
            throw ConfigError(.invalidSource, "the namespace in the URL \(problem)")
        }
        return .server(url, namespace: namespace, draft: draft)
    }
}

extension SourceLocator {
    /// Makes the source that is named.
    ///
    /// - Parameters:
    ///   - tokens: the program's credentials, called before each request; a file needs none.
    ///   - allowInsecureHosts: additional hosts that may receive the token without encryption, besides this machine.
    ///   - options: how to connect; a file needs none.
    public func source(
        tokens: TokenProvider = .anonymous,
        allowInsecureHosts: Set<String> = [],
        options: TransportOptions = .standard
    ) throws(ConfigError) -> any ConfigSource {
        switch self {
        case .file(let path):
            return FileSource(path: path)
        case .document(let url):
            return DocumentSource(url: url, tokens: tokens, allowInsecureHosts: allowInsecureHosts, options: options)
        case .server(let url, let namespace, let draft):
            return try ServerSource(
                url: url,
                namespace: namespace,
                draft: draft,
                tokens: tokens,
                allowInsecureHosts: allowInsecureHosts,
                options: options
            )
        }
    }
}
