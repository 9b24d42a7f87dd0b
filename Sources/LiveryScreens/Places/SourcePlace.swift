// SPDX-License-Identifier: Apache-2.0

package import ConfigClient
package import ConfigModel
import Essentials
package import RemoteConfig

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
        case .server(let url, let namespace): return ServerOperator(try client(url, namespace))
        }
    }

    /// A client of a namespace of a server, with the same right.
    func client(_ server: URL, _ namespace: String) throws(ConfigError) -> ServerClient {
        let address = try ServerAddress(server.absoluteString, namespace: namespace)
        return ServerClient(address: address, tokens: tokens, insecureHosts: insecureHosts, options: options)
    }
}
