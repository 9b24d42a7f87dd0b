// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigModel
import Files
import HTTPTransport
import RemoteConfig

/// How to connect to a server, or to the host of a document, where the usual way is not enough.
struct ConnectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Trust servers by the authorities in this PEM file alone.", valueName: "path"),
        completion: .file()
    )
    var caCertificate: String?

    @Option(
        help: ArgumentHelp("The server's public key, sha256//BASE64; can be repeated.", valueName: "pin")
    )
    var pinnedKey: [String] = []

    @Option(
        help: ArgumentHelp("A PEM file with a client certificate and its key.", valueName: "path"),
        completion: .file()
    )
    var clientCertificate: String?

    @Option(
        help: ArgumentHelp("A Unix socket to connect to; the address only names the server.", valueName: "path"),
        completion: .file()
    )
    var unixSocket: String?
}

extension ConnectionOptions {
    /// None of them, for a command line that needs no parser.
    static var usual: ConnectionOptions {
        var options = ConnectionOptions()
        (options.caCertificate, options.pinnedKey) = (nil, [])
        (options.clientCertificate, options.unixSocket) = (nil, nil)
        return options
    }

    func transport() throws(ConfigError) -> TransportOptions {
        try TransportOptions(
            certificateAuthority: caCertificate.map { .file($0) },
            pinnedPublicKeys: pinnedKey,
            clientCertificate: clientCertificate.map { TransportOptions.ClientCertificate(.file($0)) },
            unixSocket: unixSocket.map { AbsolutePath($0).text }
        )
    }

    /// One of the options that was given.
    var given: String? {
        if caCertificate != nil { return "--ca-certificate" }
        if clientCertificate != nil { return "--client-certificate" }
        if unixSocket != nil { return "--unix-socket" }
        return pinnedKey.isEmpty ? nil : "--pinned-key"
    }
}
