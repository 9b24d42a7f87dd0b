// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
package import ConfigClient
package import ConfigModel
import ConfigWire
import Files
import Programs
import TerminalUI

/// With which token to connect to a server, or to the host of a document, and how, where the usual way is not enough.
package struct ConnectionOptions: ParsableArguments {
    @Option(
        file: """
            Read the token from this file, not readable by others (default for a server: LIVERY_TOKEN, or the token of \
            `livery login`).
            """
    )
    package var tokenFile: String?

    @Option(
        help: ArgumentHelp("Allow sending the token to this host without encryption; repeatable.", valueName: "host")
    )
    package var insecureHost: [String] = []

    @Option(file: "Trust only the certificate authorities in this PEM file.")
    package var caCertificate: String?

    @Option(
        help: ArgumentHelp("Pin the server's public key, sha256//BASE64; repeatable.", valueName: "pin")
    )
    package var pinnedKey: [String] = []

    @Option(file: "Use the client certificate and its key in this PEM file.")
    package var clientCertificate: String?

    @Option(file: "Connect to this Unix socket; the address is used for the name of the server only.")
    package var unixSocket: String?

    package init() {}
}

extension Option where Value == String? {
    /// An option that names a file.
    package init(file help: String) {
        self.init(help: ArgumentHelp(help, valueName: "path"), completion: .file())
    }
}

extension ConnectionOptions {
    /// None of them, for a command line that needs no parser.
    package static var usual: ConnectionOptions {
        var options = ConnectionOptions()
        (options.tokenFile, options.insecureHost) = (nil, [])
        (options.caCertificate, options.pinnedKey) = (nil, [])
        (options.clientCertificate, options.unixSocket) = (nil, nil)
        return options
    }

    /// The trusted authorities, the client certificate and the other options of connections.
    /// - Throws: `insecure` if others may read the client's key, `unreadable` or `invalidOption`.
    package func transportOptions() throws(ConfigError) -> TransportOptions {
        if let clientCertificate {
            try ConfigError.catching(try PrivateFile.checkIsOfService(clientCertificate, "the client's private key"))
        }
        return try TransportOptions(
            certificateAuthority: caCertificate.map { .file($0) },
            pinnedPublicKeys: pinnedKey,
            clientCertificate: clientCertificate.map { .file($0) },
            unixSocket: unixSocket.map { AbsolutePath($0).text }
        )
    }

    /// - Parameter patience: how long an answer may take in all; `nil` for the usual limits.
    func client(
        of address: ServerAddress,
        tokens: TokenProvider,
        patience: Duration? = nil
    ) throws(ConfigError) -> ServerClient {
        ServerClient(
            address: address,
            tokens: tokens,
            insecureHosts: Set(insecureHost),
            options: try transportOptions(),
            patience: patience
        )
    }

    /// One of the options that was given.
    package var given: String? {
        if tokenFile != nil { return "--token-file" }
        if !insecureHost.isEmpty { return "--insecure-host" }
        if caCertificate != nil { return "--ca-certificate" }
        if clientCertificate != nil { return "--client-certificate" }
        if unixSocket != nil { return "--unix-socket" }
        return pinnedKey.isEmpty ? nil : "--pinned-key"
    }
}

extension ConnectionOptions {
    /// The token in the file that is named. The file is read for each request, since a manager of secrets replaces it
    /// while programs run; a pipe, say, is read once. Each file counts as the token of another account.
    package func fileTokens() throws(ConfigError) -> TokenProvider? {
        guard let tokenFile else { return nil }
        let first = try Self.token(in: tokenFile)
        guard Self.isFile(tokenFile) else { return .fixed(first) }
        return TokenProvider(account: AbsolutePath(tokenFile).text) { _ throws(ConfigError) in
            try Self.token(in: tokenFile)
        }
    }

    /// The token in the file that is named; else the one in the environment, or the one that `livery login` has stored
    /// by the time that it is needed.
    ///
    /// - Parameter warn: Called if the file of `livery login` cannot be used.
    package func tokens(
        for address: ServerAddress,
        environment: [String: String],
        warn: (ConfigError) -> Void
    ) throws(ConfigError) -> TokenProvider {
        if let tokens = try fileTokens() { return tokens }
        if let token = LiveryVariable.token.value(in: environment) { return .fixed(try BearerToken(token)) }
        return CredentialFile(environment: environment).tokens(for: address.text, warn: warn)
    }

    /// Warns of a file of `livery login` that cannot be used.
    package static func warn(_ error: ConfigError) {
        Output.error.writeLine("livery: \(error.description.sanitized()); continuing without a token")
    }

    private static func token(in path: String) throws(ConfigError) -> BearerToken {
        try BearerToken(try text(ofTokenFile: path))
    }

    /// - Throws: `insecure` if others may read the file, as the server for its token file.
    static func text(ofTokenFile path: String) throws(ConfigError) -> String {
        if path != "-" { try ConfigError.catching(try PrivateFile.checkIsOfService(path, "the token file")) }
        return try InputFile.text(at: path, atMost: 64 * 1024)
    }

    /// A path in `/dev` may be an open file, which macOS would continue to read at its end.
    private static func isFile(_ path: String) -> Bool {
        path != "-" && !path.utf8.starts(with: "/dev/".utf8) && FileState(path: path)?.isRegular == true
    }
}
