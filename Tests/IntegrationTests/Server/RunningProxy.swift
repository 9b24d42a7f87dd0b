// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A real proxy before a server, as operators set it up.
final class RunningProxy: Sendable {
    /// The kind of proxy, and its configuration.
    enum Kind: String, CaseIterable, Sendable {
        case nginx, haproxy
        /// nginx without any proxy settings: it uses HTTP/1.0 towards the server.
        case plainNginx

        /// Whether it is installed.
        var isInstalled: Bool { program != nil }

        fileprivate var program: String? {
            let name = self == .haproxy ? "haproxy" : "nginx"
            return ["/usr/sbin", "/usr/local/sbin", "/usr/bin", "/opt/homebrew/bin"].map { "\($0)/\(name)" }
                .first { FileManager.default.isExecutableFile(atPath: $0) }
        }
    }

    /// The port on 127.0.0.1.
    let port: Int
    private let folder: TemporaryDirectory
    private let running: RunningCommand

    /// Starts a proxy and waits until it passes requests on.
    ///
    /// - Parameter server: the port of the server behind it.
    init(_ kind: Kind, before server: Int) throws {
        port = try freePorts(1)[0]
        folder = try TemporaryDirectory(prefix: kind.rawValue)
        let file = folder.path(to: "configuration")
        let text =
            switch kind {
            case .nginx: Self.nginx(port, folder.path, Self.keptConnections(server))
            case .plainNginx: Self.nginx(port, folder.path, ("", "proxy_pass http://127.0.0.1:\(server);"))
            case .haproxy: Self.haproxy(port, server)
            }
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        let arguments = kind == .haproxy ? ["-f", file, "-db"] : ["-c", file, "-p", folder.path, "-e", "stderr"]
        let running = try RunningCommand(Command(kind.program ?? kind.rawValue, arguments))
        self.running = running
        let client = WireClient(port: port)
        try eventually("\(kind) to listen", deadline: .seconds(60), lastState: running.standardError) {
            (try? client.ask("GET", "/health").status) == 200
        }
    }

    /// Connections to the server are kept, at most one of them, and upgrades are passed on as in nginx's own example.
    private static func keptConnections(_ server: Int) -> (http: String, location: String) {
        let http = """
            upstream livery { server 127.0.0.1:\(server); keepalive 1; }
            map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
            """
        let location = """
            proxy_pass http://livery;
            proxy_http_version 1.1;
            proxy_set_header Host localhost;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection $connection_upgrade;
            """
        return (http, location)
    }

    private static func nginx(_ port: Int, _ folder: String, _ lines: (http: String, location: String)) -> String {
        let places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        return """
            daemon off;
            master_process off;
            pid \(folder)/pid;
            events {}
            http {
                access_log off;
                \(places.map { "\($0)_temp_path \(folder)/\($0);" }.joined(separator: " "))
                \(lines.http)
                server {
                    listen 127.0.0.1:\(port);
                    location / { \(lines.location) }
                }
            }
            """
    }

    private static func haproxy(_ port: Int, _ server: Int) -> String {
        """
        defaults
            mode http
            timeout connect 5s
            timeout client 120s
            timeout server 120s
            http-reuse always
        frontend clients
            bind 127.0.0.1:\(port)
            default_backend livery
        backend livery
            http-request set-header Host localhost
            server livery 127.0.0.1:\(server)

        """
    }
}
