// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// nginx with files to serve, set up for speed.
struct Nginx {
    let process: ServerProcess

    /// - Parameter files: The files by name.
    init(files: [String: String]) throws {
        let folder = try TemporaryDirectory(prefix: "bench")
        let port = try freePort()
        for (name, text) in files { try folder.write(text, to: "files/\(name)") }
        let file = try folder.write(Self.configuration(port: port, folder: folder.path), to: "nginx.conf")
        process = try ServerProcess(
            "nginx",
            port: port,
            in: folder,
            Command("/usr/sbin/nginx", ["-p", folder.path, "-e", "stderr", "-c", file]),
            answering: "/" + (files.keys.first ?? "")
        )
    }

    private static func configuration(port: Int, folder: String) -> String {
        """
        daemon off;
        \(geteuid() == 0 ? "user root;" : "")
        worker_processes auto;
        pid \(folder)/nginx.pid;
        error_log stderr error;
        events { worker_connections 1024; }
        http {
            access_log off;
            sendfile on;
            tcp_nopush on;
            keepalive_requests 1000000000;
            open_file_cache max=100;
            default_type application/json;
            client_body_temp_path \(folder)/body;
            proxy_temp_path \(folder)/proxy;
            fastcgi_temp_path \(folder)/fastcgi;
            uwsgi_temp_path \(folder)/uwsgi;
            scgi_temp_path \(folder)/scgi;
            server {
                listen 127.0.0.1:\(port);
                root \(folder)/files;
            }
        }

        """
    }
}
