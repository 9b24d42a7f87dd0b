// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// The settings of a proxy in Documentation/Proxies.md.
enum PageSettings: String, CaseIterable, Sendable {
    case nginx, haproxy, caddy, envoy

    /// Whether the program is installed; Debian has no Envoy.
    var isInstalled: Bool { RunningProxy.program(named: rawValue) != nil }

    /// The name of the file that has them.
    var fileName: String {
        switch self {
        case .nginx: "nginx.conf"
        case .haproxy: "haproxy.cfg"
        case .caddy: "Caddyfile"
        case .envoy: "envoy.yaml"
        }
    }

    /// The first lines of the page's blocks.
    private var fence: String {
        switch self {
        case .nginx, .haproxy, .caddy: "```\(rawValue)\n"
        case .envoy: "```yaml\n"
        }
    }

    /// The settings as the page has them, with the ports, the name and the certificates of a test.
    func text(listeningOn port: Int, before server: Int, _ certificates: TestCertificates) throws -> String {
        let page = try String(contentsOf: sourceFile("Documentation/Proxies.md"), encoding: .utf8)
        let parts = page.components(separatedBy: fence)
        guard parts.count == 2, let block = parts[1].components(separatedBy: "```").first else {
            throw FixtureError("the page has no settings for \(rawValue)")
        }
        var text = block
        for (old, new) in changes(port, server, certificates) {
            guard text.contains(old) else { throw FixtureError("the settings for \(rawValue) have no '\(old)'") }
            text = text.replacing(old, with: new)
        }
        return text
    }

    private func changes(_ port: Int, _ server: Int, _ certificates: TestCertificates) -> [(String, String)] {
        let (certificate, key) = (certificates.path("server.pem"), certificates.path("server.key"))
        switch self {
        case .nginx:
            return [
                ("listen 443 ssl", "listen 127.0.0.1:\(port) ssl"), ("127.0.0.1:3000", "127.0.0.1:\(server)"),
                ("/etc/ssl/config.example.org.pem", certificate), ("/etc/ssl/private/config.example.org.key", key),
                ("config.example.org", "config.example"),
            ]
        case .haproxy:
            return [
                ("bind :443", "bind 127.0.0.1:\(port)"), ("127.0.0.1:3000", "127.0.0.1:\(server)"),
                ("/etc/haproxy/config.example.org.pem", certificates.path("server-both.pem")),
            ]
        case .caddy:
            // Without the ports that a certificate of an authority needs.
            let site = "https://config.example:\(port) {\n bind 127.0.0.1\n tls \(certificate) \(key)\n"
            let options = "{\n admin off\n auto_https disable_redirects\n servers {\n protocols h1 h2\n}\n}\n"
            return [("config.example.org {\n", options + site), ("127.0.0.1:3000", "127.0.0.1:\(server)")]
        case .envoy:
            return [
                ("address: 0.0.0.0, port_value: 443", "address: 127.0.0.1, port_value: \(port)"),
                ("port_value: 3000", "port_value: \(server)"),
                ("/etc/envoy/config.example.org.pem", certificate), ("/etc/envoy/config.example.org.key", key),
            ]
        }
    }
}
