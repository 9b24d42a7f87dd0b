// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Certificates of a test's own, made by openssl: an authority, two servers' and a client's that it has signed, and
/// another authority.
///
/// Its methods block; see ``onDedicatedThread(_:)``.
package final class TestCertificates: Sendable {
    package let folder: TemporaryDirectory
    /// The password of `client-locked.key`.
    package static let password = "open sesame"

    /// Makes `ca.pem`, `server.pem` and `other.pem` for 127.0.0.1 and config.example, `client.pem`, each with a `.key`,
    /// and `stranger.pem`, an authority that has signed nothing.
    package init() throws {
        folder = try TemporaryDirectory(prefix: "tls")
        let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
        let signing = "-CA ca.pem -CAkey ca.key -CAcreateserial -days 2"
        let script = """
            set -e
            for name in ca stranger; do
                openssl req -x509 \(key) -keyout $name.key -out $name.pem -days 2 -subj /CN=$name
            done
            for name in server other client; do openssl req \(key) -keyout $name.key -out $name.csr -subj /CN=$name; done
            echo subjectAltName=IP:127.0.0.1,DNS:config.example > names
            for name in server other; do
                openssl x509 -req -in $name.csr \(signing) -extfile names -out $name.pem
            done
            openssl x509 -req -in client.csr \(signing) -out client.pem
            openssl pkcs8 -topk8 -in client.key -out client-locked.key -passout "pass:\(Self.password)"
            for name in server client; do cat $name.pem $name.key > $name-both.pem; done
            """
        _ = try Self.run(script, in: folder)
    }

    /// The path of a file.
    package func path(_ name: String) -> String { folder[name] }

    /// The bytes of a file.
    package func bytes(_ name: String) throws -> [UInt8] { try folder.read(name) }

    /// The digest of the public key of a certificate, as curl and RFC 7469 spell it.
    package func pin(_ name: String) throws -> String {
        let script = """
            openssl x509 -in \(name).pem -pubkey -noout | openssl pkey -pubin -outform der \
            | openssl dgst -sha256 -binary | openssl base64
            """
        return "sha256//" + (try Self.run(script, in: folder)).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func run(_ script: String, in folder: TemporaryDirectory) throws -> String {
        try Command.shell(script, workingDirectory: folder.path).run().ofSuccess().standardOutput
    }
}

/// `openssl s_server` on a free port of this machine, with a certificate of ``TestCertificates``. It answers with the files
/// of the folder, each of which is a whole answer, head and all, or with a description of the connection.
package final class OpenSSLServer: Sendable {
    package let port: Int
    private let running: RunningCommand

    /// Starts a server, and waits until it listens.
    ///
    /// - Parameters:
    ///   - name: whose certificate it has.
    ///   - wantsCertificate: whether each client has to show one that `ca.pem` has signed.
    ///   - describesConnection: whether it answers with the description.
    package init(
        _ certificates: TestCertificates,
        as name: String = "server",
        wantsCertificate: Bool = false,
        describesConnection: Bool = false
    ) throws {
        let demand = wantsCertificate ? "-CAfile ca.pem -Verify 2 -verify_return_error" : ""
        let options = "-cert \(name).pem -key \(name).key \(demand)"
        let script = "exec openssl s_server -accept 127.0.0.1:0 \(options) \(describesConnection ? "-www" : "-HTTP")"
        let running = try RunningCommand(Command.shell(script, workingDirectory: certificates.folder.path))
        var port: Int?
        try until("openssl to listen", lastState: running.standardError) {
            port = running.standardOutput.firstMatch(of: /ACCEPT [^\n]*:([0-9]+)/).flatMap { Int($0.1) }
            return port != nil || !running.isRunning
        }
        guard let port else { throw FixtureError("openssl: \(running.standardError)") }
        (self.port, self.running) = (port, running)
    }
}
