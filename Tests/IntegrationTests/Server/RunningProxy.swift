// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A real proxy before a server, as operators set it up.
final class RunningProxy: Sendable {
    /// The kind of proxy, and its configuration.
    enum Kind: String, CaseIterable, Sendable {
        case nginx, haproxy, caddy
        /// nginx without any proxy settings: it uses HTTP/1.0 towards the server.
        case plainNginx

        /// Whether it is installed.
        var isInstalled: Bool { program != nil }

        private var program: String? { RunningProxy.program(named: self == .plainNginx ? "nginx" : rawValue) }
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
        let plain = ("", "proxy_pass http://127.0.0.1:\(server);")
        switch kind {
        case .nginx:
            running = try Self.start(.nginx, Self.nginx(port, Self.keptConnections(server)), in: folder)
        case .plainNginx: running = try Self.start(.nginx, Self.nginx(port, plain), in: folder)
        case .haproxy: running = try Self.start(.haproxy, Self.haproxy(port, server), in: folder)
        case .caddy: running = try Self.start(.caddy, Self.caddy(port, server), in: folder)
        }
        let client = WireClient(port: port)
        try until("\(kind) to listen", lastState: running.standardError) {
            (try? client.ask("GET", "/health").status) == 200
        }
    }

    /// Starts a proxy with TLS for `config.example`, with the settings of the page on proxies, and waits until it accepts
    /// connections.
    ///
    /// - Parameter server: the port of the server behind it.
    init(_ settings: PageSettings, before server: Int, _ certificates: TestCertificates) throws {
        port = try freePorts(1)[0]
        folder = try TemporaryDirectory(prefix: settings.rawValue)
        let text = try settings.text(listeningOn: port, before: server, certificates)
        running = try Self.start(settings, text, in: folder)
        let port = port
        try until("\(settings) to listen", lastState: running.standardError) {
            (try? WireConnection(port: port)) != nil
        }
    }

    /// - Parameter settings: the program, and the form of the text.
    private static func start(_ settings: PageSettings, _ text: String, in folder: TemporaryDirectory) throws
        -> RunningCommand
    {
        let file = try folder.write(settings == .nginx ? nginx(text, in: folder.path) : text, to: settings.fileName)
        let arguments =
            switch settings {
            case .nginx: ["-c", file, "-p", folder.path, "-e", "stderr"]
            case .haproxy: ["-f", file, "-db"]
            case .caddy: ["run", "--config", file, "--adapter", "caddyfile"]
            case .envoy: ["-c", file, "--use-dynamic-base-id", "--concurrency", "1", "--log-level", "warning"]
            }
        let name = settings.rawValue
        // Caddy stores files in it.
        let environment = Command.environment(adding: ["HOME": folder.path])
        return try RunningCommand(Command(program(named: name) ?? name, arguments, environment: environment))
    }

    static func program(named name: String) -> String? {
        ["/usr/sbin", "/usr/local/sbin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
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

    /// A server of nginx among settings with which it needs no other files.
    private static func nginx(_ servers: String, in folder: String) -> String {
        let places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        return """
            daemon off;
            master_process off;
            pid \(folder)/pid;
            events {}
            http {
                access_log off;
                \(places.map { "\($0)_temp_path \(folder)/\($0);" }.joined(separator: " "))
                \(servers)
            }
            """
    }

    private static func nginx(_ port: Int, _ lines: (http: String, location: String)) -> String {
        """
        \(lines.http)
        server {
            listen 127.0.0.1:\(port);
            location / { \(lines.location) }
        }
        """
    }

    private static func caddy(_ port: Int, _ server: Int) -> String {
        """
        {
            admin off
        }
        http://:\(port) {
            bind 127.0.0.1
            reverse_proxy 127.0.0.1:\(server) {
                header_up Host localhost
                transport http {
                    keepalive_idle_conns 1
                }
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
