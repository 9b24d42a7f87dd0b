// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
package import ConfigClient
package import ConfigModel
import ConfigWire
import Essentials
import Files
package import RemoteConfig
import TerminalUI

/// A source that can be connected to more than once, with the same right.
package struct SourcePlace {
    /// As the user wrote it.
    package let name: String
    package let locator: SourceLocator
    private let tokens: TokenProvider
    private let insecureHosts: Set<String>
    private let options: TransportOptions

    package init(
        name: String,
        locator: SourceLocator,
        tokens: TokenProvider,
        insecureHosts: Set<String>,
        options: TransportOptions
    ) {
        (self.name, self.locator, self.tokens) = (name, locator, tokens)
        (self.insecureHosts, self.options) = (insecureHosts, options)
    }

    /// A separate connection.
    package func source() throws(ConfigError) -> any ConfigSource {
        if name == DemoSource.word { return DemoSource() }
        return try locator.source(tokens: tokens, allowInsecureHosts: insecureHosts, options: options)
    }

    /// The access of an operator, with the same right.
    package func sourceOperator() throws(ConfigError) -> any SourceOperator {
        switch locator {
        case .file where name == DemoSource.word:
            return ReadOnlyOperator("the demo cannot be edited; follow a file or a server (S)")
        case .file(let path): return FileOperator(path: path)
        case .document:
            return ReadOnlyOperator("a document on a web server can only be read; edit it where it is published")
        case .server(let url, let namespace, let draft): return ServerOperator(try client(url, namespace, draft))
        }
    }

    /// A client of a namespace of a server, or of the preview of a draft, with the same right.
    func client(_ server: URL, _ namespace: String, _ draft: String? = nil) throws(ConfigError) -> ServerClient {
        let address = try ServerAddress(root: server, namespace: namespace, draft: draft)
        return ServerClient(address: address, tokens: tokens, insecureHosts: insecureHosts, options: options)
    }
}

extension SourcePlace {
    /// The values, the schemas and the rules, by one reading.
    package func contents() async throws(ConfigError) -> SourceContents {
        switch locator {
        case .server: return try await sourceOperator().contents(at: nil)
        case .file(let path) where name != DemoSource.word:
            // Its operator reads a missing file as an empty one.
            if FileState(path: path) == nil { throw ConfigError(.notFound, "the file does not exist", source: name) }
            return try await sourceOperator().contents(at: nil)
        case .file, .document:
            guard case .document(let document) = try await source().read().content else {
                return SourceContents(NamespaceContents())
            }
            return SourceContents(NamespaceContents(of: document))
        }
    }

    /// The state of the source: of a namespace by the list of its server, of others by one reading.
    package func check() async -> SourceCheck {
        do throws(ConfigError) {
            if case .server(let url, let namespace, nil) = locator {
                return SourceCheck(of: namespace, in: try await client(url, namespace).info().namespaces)
            }
            let count = try await contents().contents.values.count
            return SourceCheck(count == 0 ? .empty : .live, count.grouped(of: "key"))
        } catch {
            return SourceCheck(error)
        }
    }
}
