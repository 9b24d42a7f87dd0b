// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A real proxy before a server, as operators set it up.
final class RunningProxy: Sendable {
    /// The port on 127.0.0.1.
    let port: Int
    private let folder: TemporaryDirectory
    private let running: RunningCommand

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
}
